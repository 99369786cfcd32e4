// A stream of plays in real Parquet that a test publishes to, for readers who use it as any client would.
import type { Scope } from '../../../core/msf/types.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { plays } from '../../../schemas/datasets/plays.ts';
import type { FakeMsf, FakeStream } from '../fakes/fake-msf.ts';
import { openParquetStream } from './parquet-stream.ts';

export function openPlaysStream(
  to: { msf: FakeMsf; objects: Pick<ObjectStore, 'put'> },
  scope: Scope,
): FakeStream<ParquetRow> {
  return openParquetStream(to, scope, plays);
}

/**
 * The play with this number. `words`: its text, with characters beyond ASCII and the basic plane, quotes and line
 * breaks.
 */
export function playOf(scope: Scope, number: number, words = ''): ParquetRow {
  return {
    game_id: scope.id,
    league: scope.league,
    play_id: `p_${String(number).padStart(26, 'a')}`,
    sequence: 100_000_000 + number * 1_000,
    period: 1 + (number % 4),
    period_type: number % 2 === 0 ? 'quarter' : null,
    clock_seconds_elapsed: number % 3 === 0 ? null : number,
    play_type: 'fieldGoalAttempt',
    description: `“Müller” scores\t\u0001 🏀 ${number}\n${words}`,
    team_id: number % 5 === 0 ? null : `team ${number}`,
    player_ids: number % 2 === 0 ? [] : [`player ${number}`, 'Ž'],
    points: number % 4 === 0 ? null : 2,
    detail: JSON.stringify({ fieldGoalAttempt: { note: '\\ "quoted"' } }),
  };
}
