// What the live routes share: a request is judged by the version in memory, and before a refusal again by the version in the catalog
// (docs/interface.md#asking-before-refusing); and they refuse alike.

import { isRefusal, type Refusal, refuse } from '../../http/refusal.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import type { GameIdentity } from './game-directory.ts';
import { finalAddress } from './live-manifests.ts';
import type { LiveVersion, ServedGames } from './served-games.ts';

/** Judges the served version of a game: the one in memory, at once where it is there, and before a refusal the one in the catalog. */
export function judgeServed<Answer extends object>(
  servedGames: ServedGames,
  game: GameIdentity,
  judge: (served: LiveVersion) => Answer | Refusal,
): Answer | Refusal | Promise<Answer | Refusal> {
  return chainMaybeAsync(servedGames.peek(game.uuid) ?? servedGames.current(game.uuid), ({ live }) => {
    const answer = live === null ? null : judge(live);
    return answer === null || isRefusal(answer) ? judgeLatest(servedGames, game, judge) : answer;
  });
}

async function judgeLatest<Answer>(
  servedGames: ServedGames,
  game: GameIdentity,
  judge: (served: LiveVersion) => Answer | Refusal,
): Promise<Answer | Refusal> {
  const served = await servedGames.latest(game.uuid);
  if (served.final) return finalAvailable(game, served.closedFrom);
  return served.live === null ? noLiveArtifact() : judge(served.live);
}

/**
 * 404 of all live routes from the moment the final file exists: it replaces whatever was live (docs/interface.md#from-live-to-final). By
 * `first_seq` a reader sees whether the final rows are of the log that it has followed.
 */
function finalAvailable(game: GameIdentity, closedFrom: number | null): Refusal {
  return refuse('not-found', {
    title: 'The final sportsbook lines are available',
    detail: 'The game has settled: its final file replaces the live segments and boards.',
    members: {
      reason: 'final_available',
      final: finalAddress(game.gameId),
      ...(closedFrom === null ? {} : { first_seq: closedFrom }),
    },
  });
}

/** 404 of all live routes while nothing of the game is tracked. */
export function noLiveArtifact(): Refusal {
  return refuse('not-found', {
    title: 'No live sportsbook lines for this game',
    detail: 'The game is not tracked yet.',
    members: { reason: 'no_live_artifact' },
  });
}
