// Football: rushes, passes, punts and kicks. A kick follows each touchdown.
import {
  type Cast,
  type DemoPlay,
  type Drawn,
  favoured,
  pick,
  plain,
  type Roll,
  type SportRules,
  type StatCredit,
  slotAfter,
} from './sport.ts';

const weights = [
  ['rush', 42],
  ['pass', 46],
  ['punt', 8],
  ['fieldGoalAttempt', 3],
] as const;

// Roster slots by position; rosters.ts assigns the positions in turn.
const quarterback = 0;
const backs = [1, 7];
const receivers = [2, 3, 4, 8, 9, 1];
const kicker = 5;
const meanGap = 20;

export const football: SportRules = {
  periods: 4,
  seconds: 900,
  part: 'quarter',
  partOfPlays: 'quarter',
  next: (at, roll) => at + 1 + Math.floor(roll('gap') * 2 * meanGap),
  sideAt: (_at, roll) => (roll('side') < 0.5 ? 'away' : 'home'),
  draw: (_at, roll) => {
    const play = draw(roll);
    if (play.points !== 6) return [play];
    const good = roll('kick') < 0.94;
    return [play, { ...plain('extraPointAttempt', kicker), made: good, points: good ? 1 : 0 }];
  },
  decider: () => ({ ...plain('fieldGoalAttempt', kicker), made: true, points: 3 }),
  corrected: (play) =>
    play.action === 'pass' && play.other !== null
      ? { ...play, other: slotAfter(receivers, play.other) }
      : { ...play, slot: slotAfter(backs, play.slot) },
  actionOf,
  statistics: [
    ...['passAttempts', 'passCompletions', 'passYards', 'passTD', 'passInt', 'passLng'].map(
      (name) => `passing.${name}`,
    ),
    ...['rushAttempts', 'rushYards', 'rushTD', 'rushLng'].map((name) => `rushing.${name}`),
    ...['targets', 'receptions', 'recYards', 'recTD', 'recLng'].map((name) => `receiving.${name}`),
    ...['fgAtt', 'fgMade'].map((name) => `fieldGoals.${name}`),
    ...['xpAtt', 'xpMade'].map((name) => `extraPointAttempts.${name}`),
  ],
  credits,
  timed: () => [],
  playerMarkets: [
    { market: 'player_pass_yds', slot: quarterback, line: 371.5 },
    { market: 'player_rush_yds', slot: 1, line: 88.5 },
    { market: 'player_receptions', slot: 2, line: 6.5 },
    ...[1, 2, 3, 4].map((slot) => ({ market: 'player_anytime_td', slot, line: null })),
  ],
};

function draw(roll: Roll): Drawn {
  const action = pick(weights, roll('kind'));
  const luck = roll('points');
  const far = roll('gain') ** 2;
  switch (action) {
    case 'rush': {
      const gain = Math.floor(far * 14) - 1;
      const touchdown = luck < 0.02 && gain > 0;
      return { ...plain(action, roll('slot') < 0.7 ? 1 : 7), made: true, gain, points: touchdown ? 6 : 0 };
    }
    case 'pass': {
      const made = luck < 0.64;
      const other = favoured(receivers, roll('other'));
      return {
        action,
        slot: quarterback,
        other,
        made,
        gain: made ? 2 + Math.floor(far * 36) : 0,
        points: luck < 0.045 ? 6 : 0,
      };
    }
    case 'fieldGoalAttempt':
      return { ...plain(action, kicker), made: luck < 0.8, points: luck < 0.8 ? 3 : 0 };
    default:
      return plain(action, kicker);
  }
}

function actionOf(play: DemoPlay, { team, player, own }: Cast): { [action: string]: object } {
  const { action, made, gain, points } = play;
  const ended = {
    isEndedWithTouchdown: points === 6,
    isTwoPointConversion: false,
    isNoPlay: false,
    subPlays: [],
    penalties: [],
  };
  switch (action) {
    case 'rush':
      return { [action]: { team, rushingPlayer: player, yardsRushed: gain, ...ended } };
    case 'pass': {
      const caught = { receivingPlayer: own, interceptingPlayer: null, isCompleted: made, totalYardsGained: gain };
      return { [action]: { team, passingPlayer: player, ...caught, ...ended } };
    }
    case 'punt':
      return {
        [action]: {
          kickingTeam: team,
          kickingPlayer: player,
          isTouchdown: false,
          isNoPlay: false,
          subPlays: [],
          penalties: [],
        },
      };
    default:
      return { [action]: { team, kickingPlayer: player, isGood: made, isNoPlay: false, penalties: [] } };
  }
}

function credits({ action, side, slot, other, made, gain, points }: DemoPlay): readonly StatCredit[] {
  const own = (stat: string, by = 1): StatCredit => [side, slot, stat, by];
  const touchdown = points === 6 ? 1 : 0;
  switch (action) {
    case 'rush': {
      const yards = [own('rushing.rushYards', gain), own('rushing.rushLng', gain)];
      return [own('rushing.rushAttempts'), ...yards, own('rushing.rushTD', touchdown)];
    }
    case 'pass': {
      const caught = (stat: string, by = 1): StatCredit => [side, other ?? slot, stat, by];
      const tried = [own('passing.passAttempts'), caught('receiving.targets')];
      if (!made) return tried;
      const thrown = [own('passing.passCompletions'), own('passing.passYards', gain), own('passing.passLng', gain)];
      const taken = [
        caught('receiving.receptions'),
        caught('receiving.recYards', gain),
        caught('receiving.recLng', gain),
      ];
      return [...tried, ...thrown, ...taken, own('passing.passTD', touchdown), caught('receiving.recTD', touchdown)];
    }
    case 'fieldGoalAttempt':
      return [own('fieldGoals.fgAtt'), own('fieldGoals.fgMade', made ? 1 : 0)];
    case 'extraPointAttempt':
      return [own('extraPointAttempts.xpAtt'), own('extraPointAttempts.xpMade', points)];
    default:
      return [];
  }
}
