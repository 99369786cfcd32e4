// Marks the records of keys whose partition is another one: a producer that divides keys by the number of partitions of today puts a game's
// records where the game is not. The fold refuses them, so that no game is folded in two partitions. What is asked never changes: the same
// records are marked whenever they are folded (docs/operations.md#adding-partitions).
import { isCanonicalUuid, nilUuid } from '../../core/games/uuid.ts';
import type { Broker, DeliveredRecord } from '../../core/ports/broker.ts';
import type { StreamKey } from '../../core/ports/catalog/checkpoints.ts';
import { growingTopics } from '../../schemas/events/topics.ts';
import { type Patience, untilBrokerAnswers } from './patience.ts';

export type KeyPlaces = Pick<Broker, 'partitionOf'>;

/** The records, those of other partitions marked. Waits while the places cannot be asked for. */
export async function withPlaces(
  tools: Patience & { places?: KeyPlaces },
  { topic, partition }: Pick<StreamKey, 'topic' | 'partition'>,
  records: readonly DeliveredRecord[],
): Promise<readonly DeliveredRecord[]> {
  const { places } = tools;
  if (places === undefined || !growingTopics.some((growing) => growing === topic)) return records;
  const elsewhere = new Map<string | null, number>();
  const ask = async (key: string): Promise<void> => {
    const place = await untilBrokerAnswers(tools, () => places.partitionOf(topic, key));
    if (place !== partition) elsewhere.set(key, place);
  };
  await Promise.all([...new Set(records.map(({ key }) => key))].filter(isOfOne).map(ask));
  if (elsewhere.size === 0) return records;
  return records.map((record) => {
    const belongsIn = elsewhere.get(record.key);
    return belongsIn === undefined ? record : { ...record, belongsIn };
  });
}

/** Whether it is the key of one game or scope. The fold refuses what has no such key; a tick of all games is where it is. */
function isOfOne(key: string | null): key is string {
  return key !== null && key !== nilUuid && isCanonicalUuid(key);
}
