// What an observation moves of its game in the catalog: the status, where the move is legal, and the start, where the schedule tells it
// (docs/quotes.md#game-statuses; docs/quotes.md#scheduled-start). A status is judged when what the feeds say of it changes, so that an illegal
// one is refused once and not with every pull. One that the administrator gives stands until the feeds say another than before, and moves are
// judged from it.

import type { GivenStatus } from '../../../schemas/events/observations.ts';
import type { GameStatus } from '../../games/status.ts';
import { mayMove } from '../../games/status-moves.ts';
import type { GameMove } from '../../ports/catalog/msf.ts';
import type { Micros } from '../../units.ts';
import { gameFacts } from '../states/game-state.ts';
import { type ScopeEffects, touch } from './effects.ts';
import type { Observed, ScopeState } from './scope-state.ts';
import { gameStatusOf } from './status-of-game.ts';

/** Moves the game by what its feeds say now, after an observation with new content. */
export function moveGame(state: ScopeState, { times }: Observed, now: Micros, effects: ScopeEffects): void {
  const facts = gameFacts(state.feeds);
  const told = gameStatusOf(facts.playedStatus, facts.scheduleStatus);
  const move = blankMove(state, times.received);
  if (told !== null && told !== state.toldStatus) {
    state.toldStatus = told;
    if (told !== state.status) {
      if (mayMove(state.status, told)) {
        takeStatus(state, told, now, effects);
        move.status = told;
      } else {
        const detail = `a game that is ${state.status} does not become ${told}`;
        effects.refusals.push({ code: 'illegal-status-move', pointer: '/observation', detail });
      }
    }
  }
  if (facts.startFromSchedule && facts.startTime !== state.scheduledStart) {
    state.scheduledStart = facts.startTime;
    move.scheduledStart = facts.startTime;
  }
  if (move.status !== null || move.scheduledStart !== null) effects.move = move;
}

/**
 * Takes the status that the administrator gave the game, whose frame is sound. The catalog has it already, unless a feed moved the game
 * between his word and this record of it: the later in the log holds. A record of the same word may come again, behind what the feeds have
 * said since; it is known by what it says, and moves nothing. The log alone has his words in their order: a clock of the catalog may go back
 * from one to the next. `at`: the time of the word as it is believed.
 */
export function moveByHand(state: ScopeState, given: GivenStatus, at: Micros, effects: ScopeEffects): void {
  if (state.hands.some((known) => isSameHand(known, given))) return;
  const { from, to } = given;
  state.hands = [...state.hands.slice(1 - mostHands), { from, to, at: given.at }];
  const isMovedOn = state.status !== null && state.status !== from;
  const status = to as GameStatus;
  takeStatus(state, status, state.logTime, effects);
  if (isMovedOn) effects.move = { ...blankMove(state, at), status };
}

/** The forwarder tells so many records at a time, and tells these again: no copy is further behind its first. */
const mostHands = 1_000;

function isSameHand(one: GivenStatus, other: GivenStatus): boolean {
  return one.at === other.at && one.from === other.from && one.to === other.to;
}

function blankMove({ scope: { uuid, id, league } }: ScopeState, at: Micros): GameMove {
  return { gameUuid: uuid, gameId: id, league, status: null, statusAt: at, scheduledStart: null };
}

/** Every stream of a game that is over waits for its settlement, and one that goes on for none. */
function takeStatus(state: ScopeState, status: GameStatus, now: Micros, effects: ScopeEffects): void {
  state.status = status;
  const completedAt = status === 'COMPLETED' ? now : null;
  if ((completedAt === null) === (state.completedAt === null)) return;
  state.completedAt = completedAt;
  for (const dataset of state.streams.keys()) touch(effects, dataset);
}
