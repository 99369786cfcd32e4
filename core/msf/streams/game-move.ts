// What an observation moves of its game in the catalog: the status, where the move is legal, and the start, where the schedule tells it
// (decisions.md 4; quotes.md, Folding 9). A status is judged when what the feeds say of it changes, so that an illegal one is refused once
// and not with every pull.

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
  const move: GameMove = {
    gameUuid: state.scope.uuid,
    gameId: state.scope.id,
    league: state.scope.league,
    status: null,
    statusAt: times.received,
    scheduledStart: null,
  };
  if (told !== null && told !== state.toldStatus) {
    state.toldStatus = told;
    if (told !== state.status) {
      if (mayMove(state.status, told)) {
        state.status = told;
        move.status = told;
        if (told === 'COMPLETED') complete(state, now, effects);
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

/** Every stream of the game now waits for its settlement. */
function complete(state: ScopeState, now: Micros, effects: ScopeEffects): void {
  state.completedAt = now;
  for (const dataset of state.streams.keys()) touch(effects, dataset);
}
