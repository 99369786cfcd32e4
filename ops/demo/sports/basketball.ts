// Basketball: the shots, rebounds and fouls of nine of ten players. The tenth never plays, so that there are bets on a player who did not
// play.
import {
  type Cast,
  type DemoPlay,
  type DemoPlayerMarket,
  type Drawn,
  favoured,
  opponentOf,
  pick,
  plain,
  type Roll,
  type SportRules,
  type StatCredit,
  slotAfter,
} from './sport.ts';

const weights = [
  ['fieldGoalAttempt', 45],
  ['freeThrowAttempt', 10],
  ['rebound', 25],
  ['foul', 10],
  ['turnover', 10],
] as const;

const rotation = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** The slot of the player who stays on the bench. */
const unused = 9;

type Lines = { points: readonly number[]; rebounds: readonly number[] };

export function basketball(
  regulation: { parts: number; seconds: number; gap: number; part: 'quarter' | 'period' },
  lines: Lines,
): SportRules {
  const { parts, seconds, gap, part } = regulation;
  return {
    periods: parts,
    seconds,
    part,
    partOfPlays: 'quarter',
    next: (at, roll) => at + 1 + Math.floor(roll('gap') * 2 * gap),
    sideAt: (_at, roll) => (roll('side') < 0.5 ? 'away' : 'home'),
    draw: (_at, roll) => [draw(roll)],
    decider: () => ({ ...plain('fieldGoalAttempt', 0), made: true, gain: 2, points: 2 }),
    corrected: (play) => {
      const next = slotAfter(rotation, play.slot);
      return { ...play, slot: next === play.other ? slotAfter(rotation, next) : next };
    },
    actionOf,
    statistics,
    credits,
    timed,
    playerMarkets: marketsOf(lines),
  };
}

function draw(roll: Roll): Drawn {
  const action = pick(weights, roll('kind'));
  const slot = favoured(rotation, roll('slot'));
  const luck = roll('points');
  const second = Math.floor(roll('other') * 10) / 10;
  const someone = favoured(rotation, roll('second'));
  switch (action) {
    case 'fieldGoalAttempt': {
      const points = luck < 0.1 ? 3 : luck < 0.44 ? 2 : 0;
      if (points === 0) {
        const blocked = second < 0.1 ? someone : null;
        return { action, slot, other: blocked, made: false, gain: luck > 0.8 ? 3 : 2, points };
      }
      const assisted = second < 0.6 && someone !== slot ? someone : null;
      return { action, slot, other: assisted, made: true, gain: points, points };
    }
    case 'freeThrowAttempt':
      return { ...plain(action, slot), made: luck < 0.77, gain: 1, points: luck < 0.77 ? 1 : 0 };
    case 'turnover':
      return { ...plain(action, slot), other: second < 0.5 ? someone : null };
    default:
      return plain(action, slot);
  }
}

function actionOf(play: DemoPlay, { team, player, own, opponent }: Cast): { [action: string]: object } {
  const { action, made, gain } = play;
  switch (action) {
    case 'fieldGoalAttempt': {
      const result = made ? 'SCORED' : opponent === null ? 'MISSED' : 'BLOCKED';
      const [assistingPlayer, blockingPlayer] = made ? [own, null] : [null, opponent];
      return { [action]: { team, shootingPlayer: player, assistingPlayer, blockingPlayer, points: gain, result } };
    }
    case 'freeThrowAttempt': {
      const result = made ? 'SCORED' : 'MISSED';
      return { [action]: { team, shootingPlayer: player, attemptNum: 1, totalAttempts: 1, result } };
    }
    case 'rebound':
      return { [action]: { team, retrievingPlayer: player, type: 'DEFENSIVE' } };
    case 'foul':
      return { [action]: { team, penalizedPlayer: player, drawnByPlayer: null, type: 'P.FOUL', isPersonal: true } };
    default:
      return { [action]: { team, lostByPlayer: player, stolenByPlayer: opponent, isStolen: opponent !== null } };
  }
}

const statistics = [
  'fieldGoals.fg2PtAtt',
  'fieldGoals.fg2PtMade',
  'fieldGoals.fg3PtAtt',
  'fieldGoals.fg3PtMade',
  'fieldGoals.fgAtt',
  'fieldGoals.fgMade',
  'freeThrows.ftAtt',
  'freeThrows.ftMade',
  'rebounds.reb',
  'offense.ast',
  'offense.pts',
  'defense.tov',
  'defense.stl',
  'defense.blk',
  'miscellaneous.fouls',
  'miscellaneous.minSeconds',
];

function credits({ action, side, slot, other, made, gain, points }: DemoPlay): readonly StatCredit[] {
  const own = (stat: string, by = 1): StatCredit => [side, slot, stat, by];
  const second = (of: 'own' | 'opponent', stat: string): StatCredit[] =>
    other === null ? [] : [[of === 'own' ? side : opponentOf(side), other, stat, 1]];
  switch (action) {
    case 'fieldGoalAttempt': {
      const tried = [own('fieldGoals.fgAtt'), own(`fieldGoals.fg${gain}PtAtt`)];
      if (!made) return [...tried, ...second('opponent', 'defense.blk')];
      const scored = [own('fieldGoals.fgMade'), own(`fieldGoals.fg${gain}PtMade`), own('offense.pts', points)];
      return [...tried, ...scored, ...second('own', 'offense.ast')];
    }
    case 'freeThrowAttempt':
      return [own('freeThrows.ftAtt'), own('freeThrows.ftMade', points), own('offense.pts', points)];
    case 'rebound':
      return [own('rebounds.reb')];
    case 'foul':
      return [own('miscellaneous.fouls')];
    default:
      return [own('defense.tov'), ...second('opponent', 'defense.stl')];
  }
}

/** Five start and play most of the time, four substitutes relieve them. */
function timed(clock: number): readonly StatCredit[] {
  const minutes = (slot: number): number => Math.round(clock * (slot < 5 ? 0.7 : 0.375));
  return (['away', 'home'] as const).flatMap((side) =>
    rotation.map((slot): StatCredit => [side, slot, 'miscellaneous.minSeconds', minutes(slot)]),
  );
}

function marketsOf({ points, rebounds }: Lines): DemoPlayerMarket[] {
  return [
    ...points.map((line, slot) => ({ market: 'player_points', slot, line })),
    ...rebounds.map((line, slot) => ({ market: 'player_rebounds', slot, line })),
    { market: 'player_points', slot: unused, line: 3.5 },
  ];
}
