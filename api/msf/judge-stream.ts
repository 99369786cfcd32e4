// Answers a request from the stream in memory, and before a refusal again from the catalog (docs/interface.md#what-an-instance-remembers).

import { isRefusal, type Refusal } from '../../http/refusal.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import type { StreamOf } from './refusals.ts';
import { type FollowedStream, nameOf, type Streams } from './streams.ts';

type Judged<Answer> = Answer | Refusal | Promise<Answer | Refusal>;

/**
 * Judges a stream as it is in memory, synchronously if it is there; before a refusal that a newer state could lift, judges it again as it
 * is in the catalog.
 */
export function judgeStream<Answer extends object>(
  streams: Streams,
  { scope, dataset }: StreamOf,
  judge: (followed: FollowedStream) => Judged<Answer>,
): Judged<Answer> {
  const name = nameOf({ scopeUuid: scope.uuid, dataset });
  return chainMaybeAsync(streams.peek(name) ?? streams.current(name), (remembered) =>
    chainMaybeAsync(judge(remembered), (answer) => {
      if (!isRefusal(answer) || answer.refused === 'history-restricted') return answer;
      return streams.latest(name).then(judge);
    }),
  );
}
