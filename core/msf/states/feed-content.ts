// What one observation of a feed says, read once when its content is new: everything that the states of its scope need, as JSON.
// Independent of other feeds and of the game's public id, which may come later.
import type { JsonObject } from '../../json/value.ts';
import type { Micros } from '../../units.ts';
import type { ElementText } from '../bodies/element-text.ts';
import { descriptorOf } from '../feeds/feeds.ts';
import type { MsfFeed, Scope } from '../types.ts';
import type { StatedGame } from './game-state-columns.ts';
import type { InjuredPlayer } from './injury-rows.ts';
import type { Play } from './reuse-plays.ts';
import type { StatEntry } from './statistics.ts';

/** Members that a feed does not provide are null or empty. */
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
 * What an element says. Never throws: a member of the wrong type says nothing. `before` and `text` only save memory and work: content equal
 * to `before` is shared with it, and entries that `text` knows are not read again.
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
  return { ...nothing, ...descriptorOf(feed).read({ league, msfGameId, element, before, text }) };
}
