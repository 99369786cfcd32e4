// Baseball: nine innings of four at-bats a side, each with three pitches and a result. Hits drive in runs; the previous batters score them.
import type { Side } from '../../../core/msf/states/body-ids.ts';
import {
  type Cast,
  type DemoPlay,
  type Drawn,
  opponentOf,
  pick,
  plain,
  type Roll,
  type SportRules,
  type StatCredit,
} from './sport.ts';

const weights = [
  ['hit', 25],
  ['walk', 8],
  ['strikeout', 22],
  ['groundOut', 45],
] as const;

/** Seconds per at-bat. */
export const atBatSeconds = 100;
const atBatsASide = 4;
const perInning = 2 * atBatsASide;
const offsets = [20, 45, 70, 90];
const resultOffset = 90;
const pitcher = 0;

/** The batting side: in each inning the visitors bat first. */
export function battingSide(at: number): Side {
  return atBatOf(at) % perInning < atBatsASide ? 'away' : 'home';
}

/** The batter at that second: nine players in order; the tenth pitches. */
export function battingSlot(at: number): number {
  const atBat = atBatOf(at);
  return batterAt(Math.floor(atBat / perInning) * atBatsASide + (atBat % atBatsASide));
}

function batterAt(turn: number): number {
  return 1 + (((turn % 9) + 9) % 9);
}

function atBatOf(at: number): number {
  return Math.floor(at / atBatSeconds);
}

export const baseball: SportRules = {
  periods: 9,
  seconds: perInning * atBatSeconds,
  part: 'inning',
  partOfPlays: 'inning',
  next: (at) => {
    const within = at % atBatSeconds;
    const next = offsets.find((offset) => offset > within) ?? atBatSeconds + (offsets[0] ?? 0);
    return at - within + next;
  },
  sideAt: battingSide,
  draw: (at, roll) => [at % atBatSeconds === resultOffset ? result(at, roll) : pitch('pitch', at)],
  decider: (at) => ({ ...pitch('hit', at), made: true, gain: 4, points: 1 }),
  corrected: (play) => (play.action === 'pitch' ? play : { ...play, slot: batterAt(play.slot) }),
  actionOf,
  statistics: [
    ...['plateAppearances', 'atBats', 'hits', 'secondBaseHits', 'thirdBaseHits', 'homeruns', 'totalBases'],
    ...['runsBattedIn', 'runs', 'batterWalks', 'batterStrikeouts', 'stolenBases'],
  ]
    .map((name) => `batting.${name}`)
    .concat(
      ['inningsPitched', 'hitsAllowed', 'pitcherStrikeouts', 'pitcherWalks', 'earnedRunsAllowed', 'pitchesThrown'].map(
        (name) => `pitching.${name}`,
      ),
    ),
  credits,
  timed,
  playerMarkets: [
    ...[1, 2, 3].map((slot) => ({ market: 'batter_hits', slot, line: 0.5 })),
    { market: 'batter_total_bases', slot: 4, line: 1.5 },
    { market: 'pitcher_strikeouts', slot: pitcher, line: 7.5 },
  ],
};

function pitch(action: string, at: number): Drawn {
  return { ...plain(action, battingSlot(at)), other: pitcher };
}

function result(at: number, roll: Roll): Drawn {
  const drawn = pitch(pick(weights, roll('kind')), at);
  if (drawn.action !== 'hit') return drawn;
  const far = roll('gain');
  const gain = far < 0.65 ? 1 : far < 0.85 ? 2 : far < 0.88 ? 3 : 4;
  const luck = roll('points');
  const points = gain === 4 ? 1 + Math.floor(luck * 2) : luck < 0.4 ? 1 : 0;
  return { ...drawn, made: true, gain, points };
}

const hitNames = ['', 'SINGLE', 'DOUBLE', 'TRIPLE', 'HOMERUN'];

function actionOf({ action, gain }: DemoPlay, { player, opponent }: Cast): { [action: string]: object } {
  const both = { battingPlayer: player, pitchingPlayer: opponent };
  switch (action) {
    case 'hit':
      return { hit: { ...both, result: hitNames[gain] ?? '' } };
    case 'groundOut':
      return { hit: { ...both, result: 'GROUND_OUT' } };
    default:
      return { pitch: { ...both, result: action === 'pitch' ? null : action.toUpperCase() } };
  }
}

function credits({ action, side, slot, made, gain, points }: DemoPlay): readonly StatCredit[] {
  const batting = (stat: string, by = 1): StatCredit => [side, slot, `batting.${stat}`, by];
  const pitching = (stat: string, by = 1): StatCredit => [opponentOf(side), pitcher, `pitching.${stat}`, by];
  const thrown = pitching('pitchesThrown');
  if (action === 'pitch') return [thrown];
  const up = [thrown, batting('plateAppearances'), ...(action === 'walk' ? [] : [batting('atBats')])];
  if (action === 'walk') return [...up, batting('batterWalks'), pitching('pitcherWalks')];
  if (action === 'strikeout') return [...up, batting('batterStrikeouts'), pitching('pitcherStrikeouts')];
  if (!made) return up;
  const kinds = ['', 'secondBaseHits', 'thirdBaseHits', 'homeruns'][gain - 1] ?? '';
  const hit = [batting('hits'), batting('totalBases', gain), ...(kinds === '' ? [] : [batting(kinds)])];
  const ownRun = gain === 4 ? 1 : 0;
  const others = Array.from(
    { length: points - ownRun },
    (_, index): StatCredit => [side, batterAt(slot - 2 - index), 'batting.runs', 1],
  );
  const runs = [batting('runs', ownRun), ...others, batting('runsBattedIn', points)];
  return [...up, ...hit, ...runs, pitching('hitsAllowed'), pitching('earnedRunsAllowed', points)];
}

/** Innings that a side has finished pitching: the home side pitches the first half of each, the visitors the second. */
function timed(clock: number): readonly StatCredit[] {
  const atBats = atBatOf(clock);
  return [
    ['home', pitcher, 'pitching.inningsPitched', Math.floor((atBats + atBatsASide) / perInning)],
    ['away', pitcher, 'pitching.inningsPitched', Math.floor(atBats / perInning)],
  ];
}
