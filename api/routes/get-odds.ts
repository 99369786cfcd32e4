// The odds of one game across sportsbooks: now, at an instant of its log, and from its final file once it has settled.
import type { Artifact } from '../../core/ports/catalog/artifacts.ts';
import type { ChargedRead } from '../../core/ports/ledger.ts';
import { parseRfc3339 } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import { isRefusal, type Refusal } from '../../http/refusal.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { gameOdds } from '../../schemas/http/odds.ts';
import { instantParameter } from '../../schemas/http/odds-parameters.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import type { OddsAnswers } from '../odds/odds-answers.ts';
import { oddsParameters, oddsQuery } from '../odds/odds-query.ts';
import { type PricedFile, route } from '../pipeline/route.ts';
import type { GameIdentity } from '../serving/game-directory.ts';
import { noLiveArtifact } from '../serving/live-answers.ts';
import type { LiveVersion, ServedGame, ServedGames } from '../serving/served-games.ts';

type Needs = { servedGames: ServedGames; odds: OddsAnswers };

export const getOdds = route({
  path: '/v1/games/:game_id/odds',
  id: 'getOdds',
  tag: 'Live lines',
  summary: 'What every sportsbook quotes for a game, side by side.',
  details:
    'Per selection each price with its line, state and age, the best price, implied probabilities, and the hold of each sportsbook and of the market. `at` returns the odds at that time; state and age are then null, because no file has them. For a settled game the odds are read from the final `sportsbook-lines`. Every number is an exact decimal.',
  key: 'required',
  game: 'identity',
  query: { ...oddsParameters, at: instantParameter.optional() },
  answers: { 200: gameOdds, 404: ['not-found'], 503: ['temporarily-unavailable'] },
  charge: 'odds-rows',
  cache: 'live',
  check: ({ at }) =>
    at === undefined || parseRfc3339(at) !== null
      ? null
      : 'at is no time of the years 1684 to 2255: send one such as 2026-08-05T23:41:00Z',
  handle({ game, query: { at, ...query } }, { servedGames, odds }: Needs) {
    const asked = oddsQuery(query);
    const instant = at === undefined ? null : parseRfc3339(at);
    return chainMaybeAsync(find(servedGames, game), (found): PricedFile | Refusal | Promise<PricedFile | Refusal> => {
      if (isRefusal(found)) return found;
      const answered = answerOf(found, instant);
      return chainMaybeAsync(answered, (answer) =>
        isRefusal(answer)
          ? answer
          : {
              file: answer.file,
              read: readOf(game, answer.rows, found.kind === 'live' && instant === null),
            },
      );
    });

    function answerOf(found: Found, instant: Micros | null) {
      if (found.kind === 'final') return odds.ofFinal(game, found.lines, instant, asked);
      return instant === null
        ? odds.ofBoards(game, found.live, asked)
        : odds.ofLog(game, found.live.log, instant, asked);
    }
  },
});

type Found = { kind: 'live'; live: LiveVersion } | { kind: 'final'; lines: Artifact };

/** What is served of the game: from memory if possible, otherwise from the catalog (docs/interface.md#asking-before-refusing). */
function find(servedGames: ServedGames, game: GameIdentity): Found | Refusal | Promise<Found | Refusal> {
  return chainMaybeAsync(
    servedGames.peek(game.uuid) ?? servedGames.current(game.uuid),
    (served) => foundIn(served) ?? servedGames.latest(game.uuid).then((latest) => foundIn(latest) ?? noLiveArtifact()),
  );
}

function foundIn({ live, artifacts }: ServedGame): Found | null {
  const lines = artifacts.get(sportsbookLines.name);
  if (lines !== undefined) return { kind: 'final', lines };
  return live === null ? null : { kind: 'live', live };
}

/** Rows of boards cost what they cost in a board file; rows of the log cost one each (docs/metering.md#odds). */
function readOf({ uuid, gameId }: GameIdentity, rows: number, ofBoards: boolean): ChargedRead {
  const subject = ofBoards ? 'odds' : 'odds at an instant';
  return {
    ...{ kind: ofBoards ? 'board' : 'file', gameUuid: uuid, gameId },
    ...{ dataset: sportsbookLines.name, subject, rows },
  };
}
