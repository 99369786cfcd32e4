// The feed `playbyplay`: the plays of one game. Baseball lists them by at-bat.
import { memberOf } from '../../json/value.ts';
import { isMisplaced, placePlays, playListOf } from '../bodies/play-places.ts';
import { paceOfProgress } from '../polling/paces.ts';
import { BodyIds } from '../states/body-ids.ts';
import { readGame } from '../states/game-state-columns.ts';
import { progressOfPlays } from '../states/game-state-plays.ts';
import { readPlays } from '../states/plays.ts';
import { orderedPlays } from '../states/reuse-plays.ts';
import type { FeedDescriptor } from './feed.ts';

export const playbyplay: FeedDescriptor<'playbyplay'> = {
  name: 'playbyplay',
  form: {
    kind: 'game',
    lists: (league) => [[playListOf(league)]],
    problem(league, body) {
      const placed = placePlays(league, body);
      return isMisplaced(placed) ? placed : null;
    },
  },
  playersIn: null,
  read({ league, msfGameId, element, before, text }) {
    const game = readGame(league, memberOf(element, 'game'));
    const gameId = game?.columns.msf_game_id ?? msfGameId;
    if (gameId === null) return {};
    const ids = game?.ids ?? new BodyIds(league, null);
    const plays = readPlays(ids, gameId, element, before?.plays, text);
    return {
      game: game === null ? null : { ...game.columns, ...progressOfPlays(ids, game.columns.played_status, plays) },
      plays: orderedPlays(
        plays.map(({ play }) => play),
        before?.plays ?? [],
      ),
    };
  },
  statistics: [],
  polling: {
    called: /playbyplay/,
    isOfSeason: true,
    secondsAway: { season: 0, day: 0 },
    firstAfter: 0,
    ofGame: paceOfProgress,
  },
};
