// The simulated plays in the form of MySportsFeeds: one action a play beside its words and the clock; in baseball by at-bats. Pure.
import type { League } from '../../core/units.ts';
import { type DemoPlayer, type FeedTeam, feedTeam, playersOf } from './rosters.ts';
import type { DemoGame } from './slate.ts';
import { atBatSeconds, battingSide, type DemoPlay, periodOf, type Side } from './timeline.ts';

export type Sides = Readonly<Record<Side, { team: FeedTeam; players: readonly DemoPlayer[] }>>;

/** The sides of a game as its bodies name them. */
export function sidesOf(seed: number, { league, home, away }: DemoGame): Sides {
  const side = (name: string) => ({ team: feedTeam({ league, name }), players: playersOf(seed, { league, name }) });
  return { away: side(away), home: side(home) };
}

/** The list of a play-by-play, under the name that its league has for it. */
export function playList(league: League, sides: Sides, plays: readonly DemoPlay[]): { [name: string]: unknown[] } {
  if (league === 'MLB') return { atBats: atBatsOf(sides, plays) };
  const part = league === 'NHL' ? 'period' : 'quarter';
  return {
    plays: plays.map((play) => {
      const { period, elapsed } = periodOf(league, play.at);
      return { ...told(league, sides, play), playStatus: { [part]: period, secondsElapsed: elapsed } };
    }),
  };
}

function told(league: League, sides: Sides, play: DemoPlay): { description: string; [action: string]: unknown } {
  const { team, players } = sides[play.side];
  const player = players[play.slot] ?? null;
  const scored = play.points === 0 ? '' : ` (${play.points} PTS)`;
  const description = `${team.abbreviation} ${player?.lastName ?? ''} ${wordsOf(play.action)}${scored}`;
  return { description, [play.action]: { team, ...detailOf(league, play, player) } };
}

/** `fieldGoalAttempt` → `field goal attempt`. */
function wordsOf(action: string): string {
  return action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function detailOf(league: League, { action, points }: DemoPlay, player: DemoPlayer | null): object {
  if (league === 'NFL') {
    const ended = { isEndedWithTouchdown: points === 6, isTwoPointConversion: false, isNoPlay: false, subPlays: [] };
    switch (action) {
      case 'rush':
        return { rushingPlayer: player, ...ended, penalties: [] };
      case 'pass':
        return { passingPlayer: player, interceptingPlayer: null, ...ended, penalties: [] };
      case 'punt':
        return { kickingPlayer: player, isTouchdown: false, isNoPlay: false, subPlays: [], penalties: [] };
      default:
        return { kickingPlayer: player, isGood: points > 0, isNoPlay: false, penalties: [] };
    }
  }
  if (league === 'NHL') return { player };
  switch (action) {
    case 'fieldGoalAttempt':
      return { shootingPlayer: player, points: points === 0 ? 2 : points, result: points === 0 ? 'MISSED' : 'SCORED' };
    case 'freeThrowAttempt':
      return { shootingPlayer: player, result: points === 0 ? 'MISSED' : 'SCORED' };
    case 'rebound':
      return { retrievingPlayer: player, type: 'DEFENSIVE' };
    case 'foul':
      return { penalizedPlayer: player, drawnByPlayer: null, type: 'P.FOUL', isPersonal: true };
    default:
      return { lostByPlayer: player, stolenByPlayer: null, isStolen: false };
  }
}

function atBatsOf(sides: Sides, plays: readonly DemoPlay[]): unknown[] {
  const byAtBat = Map.groupBy(plays, ({ at }) => Math.floor(at / atBatSeconds));
  return [...byAtBat].map(([number, within]) => {
    const at = number * atBatSeconds;
    const side = battingSide(at);
    const { team, players } = sides[side];
    const batter = players[number % players.length] ?? null;
    const up = { description: `${batter?.lastName ?? ''} is up`, batterUp: { battingPlayer: batter, result: null } };
    const rest = within.map(({ action, points, slot }) => ({
      description: `${wordsOf(action)}${points === 0 ? '' : ', a run scores'}`,
      [action]: { [action === 'hit' ? 'battingPlayer' : 'pitchingPlayer']: players[slot] ?? null },
    }));
    const inningHalf = side === 'away' ? 'TOP' : 'BOTTOM';
    return { inning: periodOf('MLB', at).period, inningHalf, battingTeam: team, atBatPlay: [up, ...rest] };
  });
}
