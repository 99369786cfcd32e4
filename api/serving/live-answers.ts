// The common part of the live routes: they answer from the version in memory, and before a refusal again from the catalog
// (docs/interface.md#asking-before-refusing); and they share their refusals.

import { isRefusal, type Refusal, refuse } from '../../http/refusal.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import type { GameIdentity } from './game-directory.ts';
import { finalAddress } from './live-manifests.ts';
import type { LiveVersion, ServedGames } from './served-games.ts';

/** Judges the served version of a game as it is in memory, synchronously if it is there, and before a refusal as it is in the catalog. */
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
 * 404 of all live routes once the final file exists: it replaces all live data (docs/interface.md#from-live-to-final). `first_seq` tells a
 * reader whether the final rows are from the log that it followed.
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

/** 404 of all live routes while the game has no live data. */
export function noLiveArtifact(): Refusal {
  return refuse('not-found', {
    title: 'No live sportsbook lines for this game',
    detail: 'The game is not tracked yet.',
    members: { reason: 'no_live_artifact' },
  });
}
