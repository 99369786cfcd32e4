// Reads the element that an observation's record refers to, as the projector's worker does.
import { heldElementObject } from '../../../core/msf/bodies/held-element.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import { loadAttachment } from '../../../projectors/worker/attachments.ts';
import type { HeldElement } from '../../../schemas/events/observations.ts';

/** The text of a held element; null if the object is missing or is not that element. */
export async function heldText(objects: Pick<ObjectStore, 'get'>, held: HeldElement | null | undefined) {
  const object = held == null ? null : heldElementObject(held);
  return object === null ? null : loadAttachment(objects, object);
}
