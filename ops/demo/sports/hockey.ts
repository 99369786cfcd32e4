// Hockey: face-offs, shots, hits and goals of eight skaters and one goalkeeper a side.
import {
  type Cast,
  type DemoPlay,
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
  ['faceoff', 30],
  ['shotAttempt', 44],
  ['hit', 18],
  ['goal', 2],
  ['penalty', 3],
] as const;

const goalkeeper = 0;
const skaters = [3, 4, 5, 9, 1, 2, 7, 8];
const meanGap = 12;

export const hockey: SportRules = {
  periods: 3,
  seconds: 1_200,
  part: 'period',
  partOfPlays: 'period',
  next: (at, roll) => at + 1 + Math.floor(roll('gap') * 2 * meanGap),
  sideAt: (_at, roll) => (roll('side') < 0.5 ? 'away' : 'home'),
  draw: (_at, roll) => [draw(roll)],
  decider: () => ({ ...plain('goal', 3), made: true, points: 1 }),
  corrected: (play) => {
    const next = slotAfter(skaters, play.slot);
    return { ...play, slot: next === play.other ? slotAfter(skaters, next) : next };
  },
  actionOf: ({ action }, { team, player, own }: Cast) => ({ [action]: { team, player, assistingPlayer: own } }),
  statistics: [
    ...['goals', 'assists', 'points'].map((name) => `scoring.${name}`),
    ...['shots', 'hits', 'faceoffs'].map((name) => `skating.${name}`),
    ...['saves', 'goalsAgainst', 'shotsAgainst'].map((name) => `goaltending.${name}`),
    'penalties.penalties',
  ],
  credits,
  timed: () => [],
  playerMarkets: [
    ...[3, 4, 5].map((slot) => ({ market: 'player_goal_scorer_anytime', slot, line: null })),
    ...[3, 4].map((slot) => ({ market: 'player_shots_on_goal', slot, line: 5.5 })),
    { market: 'player_total_saves', slot: goalkeeper, line: 28.5 },
  ],
};

function draw(roll: Roll): Drawn {
  const action = pick(weights, roll('kind'));
  const slot = favoured(skaters, roll('slot'));
  const second = favoured(skaters, roll('other'));
  switch (action) {
    case 'goal':
      return { action, slot, other: second === slot ? null : second, made: true, gain: 0, points: 1 };
    case 'shotAttempt':
      return { ...plain(action, slot), made: roll('points') < 0.45 };
    default:
      return plain(action, slot);
  }
}

function credits({ action, side, slot, other, made }: DemoPlay): readonly StatCredit[] {
  const own = (stat: string): StatCredit => [side, slot, stat, 1];
  const against = (stat: string): StatCredit => [opponentOf(side), goalkeeper, stat, 1];
  switch (action) {
    case 'goal': {
      const assisted: StatCredit[] =
        other === null
          ? []
          : [
              [side, other, 'scoring.assists', 1],
              [side, other, 'scoring.points', 1],
            ];
      const scored = [own('scoring.goals'), own('scoring.points'), own('skating.shots')];
      return [...scored, ...assisted, against('goaltending.goalsAgainst'), against('goaltending.shotsAgainst')];
    }
    case 'shotAttempt':
      return made ? [own('skating.shots'), against('goaltending.saves'), against('goaltending.shotsAgainst')] : [];
    case 'hit':
      return [own('skating.hits')];
    case 'faceoff':
      return [own('skating.faceoffs')];
    default:
      return [own('penalties.penalties')];
  }
}
