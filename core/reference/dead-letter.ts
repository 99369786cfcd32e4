// The dead letter of a reference record that cannot be applied. It holds the whole record, which is small.
import type { GamesRecord } from '../../schemas/events/games.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { DeadLetter } from '../ports/catalog/dead-letters.ts';
import type { ReferenceRefusal } from './types.ts';

/** `record` null: its bytes could not be decoded; they are the payload. */
export function referenceDeadLetter(
  at: { partition: number; offset: number },
  record: GamesRecord | null,
  bytes: Uint8Array,
  { code, pointer, detail }: ReferenceRefusal,
): DeadLetter {
  return {
    topic: topics.games,
    ...at,
    code,
    pointer,
    detail,
    source: record?.source ?? null,
    gameUuid: null,
    gameId: null,
    receipt: record?.push ?? null,
    pushIndex: record?.push_index ?? null,
    payload: record === null ? bytes : new TextEncoder().encode(JSON.stringify(record)),
  };
}
