// What an observation changes in its game's catalog entry: the status, if the move is legal, and the start, if the schedule gives it
// (docs/quotes.md#game-statuses; docs/quotes.md#scheduled-start). A status is checked only when the feeds' status changes, so an illegal
// one is refused once and not with every pull. A status set by the administrator stands until the feeds' status changes; later moves are
// checked from it.

import type { GivenStatus } from '../../../schemas/events/observations.ts';
import type { GameStatus } from '../../games/status.ts';
import { mayMove } from '../../games/status-moves.ts';
import type { GameMove } from '../../ports/catalog/msf.ts';
import type { Micros } from '../../units.ts';
import { gameFacts } from '../states/game-state.ts';
import { type ScopeEffects, touch } from './effects.ts';
import type { Observed, ScopeState } from './scope-state.ts';
import { gameStatusOf } from './status-of-game.ts';

/** Moves the game to what its feeds say, after an observation with new content. */
export function moveGame(state: ScopeState, { times }: Observed, now: Micros, effects: ScopeEffects): void {
  const facts = gameFacts(state.feeds);
  const reported = gameStatusOf(facts.playedStatus, facts.scheduleStatus);
  const move = blankMove(state, times.received);
  if (reported !== null && reported !== state.toldStatus) {
    state.toldStatus = reported;
    if (reported !== state.status) {
      if (mayMove(state.status, reported)) {
        takeStatus(state, reported, now, effects);
        move.status = reported;
      } else {
        const detail = `a game that is ${state.status} does not become ${reported}`;
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
 * Applies a status set by the administrator; the record's frame is valid. The catalog already has this status, unless a feed moved the game
 * between the command and this record: then the later one in the log wins. The forwarder may publish the record again after newer
 * observations; the copy is recognised by its content and moves nothing. Only the log has the commands in order, because the catalog's
 * clock may go back between two of them. `at`: the command's time, as far as it is believed.
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

/** The forwarder publishes at most this many records at a time, and only these again, so no copy is further behind its original. */
const mostHands = 1_000;

function isSameHand(one: GivenStatus, other: GivenStatus): boolean {
  return one.at === other.at && one.from === other.from && one.to === other.to;
}

function blankMove({ scope: { uuid, id, league } }: ScopeState, at: Micros): GameMove {
  return { gameUuid: uuid, gameId: id, league, status: null, statusAt: at, scheduledStart: null };
}

/** Every stream of a completed game waits for its settlement; those of a running game do not. */
function takeStatus(state: ScopeState, status: GameStatus, now: Micros, effects: ScopeEffects): void {
  state.status = status;
  const completedAt = status === 'COMPLETED' ? now : null;
  if ((completedAt === null) === (state.completedAt === null)) return;
  state.completedAt = completedAt;
  for (const dataset of state.streams.keys()) touch(effects, dataset);
}
