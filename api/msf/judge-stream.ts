// A request is judged on what memory says of its stream, and again on what the catalog says before it is refused
// (docs/interface.md#what-an-instance-remembers).
import { goOn } from '../dependencies/at-once.ts';
import { isRefusal, type Refusal } from '../problems/refusal.ts';
import type { StreamOf } from './refusals.ts';
import { type FollowedStream, nameOf, type Streams } from './streams.ts';

type Judged<Answer> = Answer | Refusal | Promise<Answer | Refusal>;

/** The verdict on a stream; that on memory, at once where it is there, counts when it is no refusal, or one that no later state would lift. */
export function judgeStream<Answer extends object>(
  streams: Streams,
  { scope, dataset }: StreamOf,
  judge: (followed: FollowedStream) => Judged<Answer>,
): Judged<Answer> {
  const name = nameOf({ scopeUuid: scope.uuid, dataset });
  return goOn(streams.peek(name) ?? streams.current(name), (remembered) =>
    goOn(judge(remembered), (answer) => {
      if (!isRefusal(answer) || answer.refused === 'history-restricted') return answer;
      return streams.latest(name).then(judge);
    }),
  );
}
