// The object store of an edition: files in the data directory, or S3.
import { join } from 'node:path';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openDiskStore } from '../../platform/objects/disk.ts';

/** The object store of the edition. `onDisk` opens one in a folder. */
export async function openObjects(
  settings: Settings,
  dataDir: string,
  onDisk: (folder: string) => Promise<ObjectStore> = openDiskStore,
): Promise<ObjectStore> {
  if (settings.edition === 'embedded' || settings.s3 === null) return onDisk(join(dataDir, 'objects'));
  // Loaded on demand, so that the embedded edition stays small and starts quickly.
  const { openS3Store } = await import('../../platform/objects/s3.ts');
  return openS3Store(settings.s3);
}
