// What one observation of a feed says, made once when its content is new: all that the states of its scope need of it, as JSON. Unaware of
// the game's public id, which may come later, and of all other feeds.
import { type JsonObject, memberOf } from '../../json/value.ts';
import type { Micros } from '../../units.ts';
import type { ElementText } from '../bodies/element-text.ts';
import { gameOf } from '../bodies/game-object.ts';
import type { MsfFeed, Scope } from '../types.ts';
import { valueAt } from '../values.ts';
import { BodyIds } from './body-ids.ts';
import { courseOfScore, readGame, type StatedGame } from './game-state-columns.ts';
import { courseOfPlays } from './game-state-plays.ts';
import { orderedPlays, type Play } from './held-plays.ts';
import { type InjuredPlayer, injuredPlayers } from './injury-rows.ts';
import { readPlays } from './plays.ts';
import {
  playersOfBoxscore,
  playersOfGamelogs,
  type StatEntry,
  teamsOfBoxscore,
  teamsOfGamelogs,
} from './statistics.ts';

/** What a feed does not speak of is null or empty. */
export type FeedContent = {
  readonly game: StatedGame | null;
  /** By `play_id`. */
  readonly plays: readonly Play[];
  readonly playerStats: readonly StatEntry[];
  readonly teamStats: readonly StatEntry[];
  /** By `player_id`. */
  readonly injuries: readonly InjuredPlayer[];
};

/** The newest applied observation of a feed. */
export type AppliedFeed = {
  readonly feed: MsfFeed;
  readonly content: FeedContent;
  /** Request start (receive time where unknown) of the first observation of this content. */
  readonly contentSince: Micros;
};

const nothing: FeedContent = { game: null, plays: [], playerStats: [], teamStats: [], injuries: [] };

/**
 * What an element says. Total: a member that is not what it should be says nothing. What the content `before` it held already is held once,
 * and what `text` has met before is not read again: neither changes anything else.
 */
export function readFeed(
  feed: MsfFeed,
  scope: Scope,
  msfGameId: number | null,
  element: JsonObject,
  before: FeedContent | null = null,
  text: ElementText | null = null,
): FeedContent {
  const { league } = scope;
  switch (feed) {
    case 'games': {
      const entry = valueAt(element, 'games', 0);
      const game = readGame(league, valueAt(entry, 'schedule'));
      if (game === null) return { ...nothing };
      return { ...nothing, game: { ...game.columns, ...courseOfScore(game.ids, valueAt(entry, 'score')) } };
    }
    case 'boxscore': {
      const game = readGame(league, memberOf(element, 'game'));
      const ids = game?.ids ?? new BodyIds(league, null);
      return {
        ...nothing,
        game: game === null ? null : { ...game.columns, ...courseOfScore(ids, memberOf(element, 'scoring')) },
        playerStats: playersOfBoxscore(ids, element, text),
        teamStats: teamsOfBoxscore(ids, element),
      };
    }
    case 'playbyplay': {
      const game = readGame(league, memberOf(element, 'game'));
      const gameId = game?.columns.msf_game_id ?? msfGameId;
      if (gameId === null) return { ...nothing };
      const ids = game?.ids ?? new BodyIds(league, null);
      const plays = readPlays(ids, gameId, element, before?.plays, text);
      return {
        ...nothing,
        game: game === null ? null : { ...game.columns, ...courseOfPlays(ids, game.columns.played_status, plays) },
        plays: orderedPlays(
          plays.map(({ play }) => play),
          before?.plays ?? [],
        ),
      };
    }
    case 'player_gamelogs':
      return { ...nothing, playerStats: playersOfGamelogs(idsOfGamelogs(scope, element), element, text) };
    case 'team_gamelogs':
      return { ...nothing, teamStats: teamsOfGamelogs(idsOfGamelogs(scope, element), element) };
    case 'injuries':
      return { ...nothing, injuries: injuredPlayers(new BodyIds(league, null), element) };
    case 'lineup':
    case 'players':
    case 'odds_gamelines':
      return { ...nothing };
  }
}

/** All gamelogs of an element are of one game, so the first names its teams. */
function idsOfGamelogs({ league }: Scope, element: JsonObject): BodyIds {
  const game = gameOf(valueAt(element, 'gamelogs', 0, 'game'), 'gamelog');
  return new BodyIds(league, game === null ? null : { away: game.away, home: game.home });
}
