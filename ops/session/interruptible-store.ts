// An object store for commands that read many objects: once the administrator interrupts, no further object is read.
import type { ObjectStore } from '../../core/ports/object-store.ts';

export function interruptibleStore(
  objects: Pick<ObjectStore, 'get' | 'put' | 'list'>,
  interrupted: AbortSignal,
): Pick<ObjectStore, 'get' | 'put' | 'list'> {
  return {
    async get(key, part) {
      interrupted.throwIfAborted();
      return objects.get(key, part);
    },
    put: (key, bytes) => objects.put(key, bytes),
    list: (prefix) => objects.list(prefix),
  };
}
