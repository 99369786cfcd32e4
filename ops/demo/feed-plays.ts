// The simulated plays in MySportsFeeds' form: one action per play, with a description and the clock; in baseball by at-bats. Pure.
import type { Side } from '../../core/msf/states/body-ids.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { sportOf } from './demo-leagues.ts';
import { type DemoPlayer, type FeedTeam, feedTeam, playersOf } from './rosters.ts';
import type { DemoGame } from './slate.ts';
import { atBatSeconds, battingSide, battingSlot } from './sports/baseball.ts';
import { type Cast, type DemoPlay, opponentOf } from './sports/sport.ts';
import { periodOf } from './timeline.ts';

type DemoSides = Readonly<Record<Side, { team: FeedTeam; players: readonly DemoPlayer[] }>>;

/** Both sides of a game as in its bodies. */
export function sidesOf(seed: number, { league, home, away }: DemoGame): DemoSides {
  const side = (name: string) => ({ team: feedTeam({ league, name }), players: playersOf(seed, { league, name }) });
  return { away: side(away), home: side(home) };
}

/** The list of a play-by-play body, under its league's name for it. */
export function playList(league: League, sides: DemoSides, plays: readonly DemoPlay[]): { [name: string]: unknown[] } {
  const { partOfPlays } = sportOf(league);
  if (partOfPlays === 'inning') return { atBats: atBatsOf(league, sides, plays) };
  return {
    plays: plays.map((play) => {
      const { period, elapsed } = periodOf(league, play.at);
      return { ...describedPlay(league, sides, play), playStatus: { [partOfPlays]: period, secondsElapsed: elapsed } };
    }),
  };
}

function describedPlay(
  league: League,
  sides: DemoSides,
  play: DemoPlay,
): { description: string; [action: string]: unknown } {
  const cast = castOf(sides, play);
  const scored = play.points === 0 ? '' : ` (${play.points} PTS)`;
  const description = `${cast.team.abbreviation} ${cast.player?.lastName ?? ''} ${wordsOf(play.action)}${scored}`;
  return { description, ...sportOf(league).actionOf(play, cast) };
}

function castOf(sides: DemoSides, { side, slot, other }: DemoPlay): Cast {
  const { team, players } = sides[side];
  const second = (of: readonly DemoPlayer[]): DemoPlayer | null => (other === null ? null : (of[other] ?? null));
  return {
    team,
    player: players[slot] ?? null,
    own: second(players),
    opponent: second(sides[opponentOf(side)].players),
  };
}

/** `fieldGoalAttempt` → `field goal attempt`. */
function wordsOf(action: string): string {
  return action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function atBatsOf(league: League, sides: DemoSides, plays: readonly DemoPlay[]): unknown[] {
  const byAtBat = Map.groupBy(plays, ({ at }) => Math.floor(at / atBatSeconds));
  return [...byAtBat].map(([number, within]) => {
    const at = number * atBatSeconds;
    const side = battingSide(at);
    const { team, players } = sides[side];
    const batter = players[battingSlot(at)] ?? null;
    const up = { description: `${batter?.lastName ?? ''} is up`, batterUp: { battingPlayer: batter, result: null } };
    const rest = within.map((play) => ({
      description: `${wordsOf(play.action)}${play.points === 0 ? '' : `, ${play.points} in`}`,
      ...sportOf(league).actionOf(play, castOf(sides, play)),
    }));
    const inningHalf = side === 'away' ? 'TOP' : 'BOTTOM';
    return { inning: periodOf(league, at).period, inningHalf, battingTeam: team, atBatPlay: [up, ...rest] };
  });
}
