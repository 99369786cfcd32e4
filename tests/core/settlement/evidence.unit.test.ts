// The evidence of a game's result as it is read from the heads of its streams: whose names are known is a question of who played, not of where he
// plays now (docs/settlement.md#players-by-name).
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { PublishedRevision, ServedStream } from '../../../core/ports/catalog/msf.ts';
import { nextMarketResults } from '../../../core/settlement/corrections.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { gatherEvidence } from '../../../projectors/settlement/gather-evidence.ts';
import { StagedFiles, stagedInputs } from '../../support/builders/staged-build.ts';

const [home, away] = ['00000000-0000-5000-8000-00000000000a', '00000000-0000-5000-8000-00000000000b'];
const [traded, teammate, opponent] = ['p-traded', 'p-teammate', 'p-opponent'];

const inputs = {
  ...stagedInputs,
  homeTeamId: home,
  awayTeamId: away,
  manual: { auditId: 1, at: 5, away: 90, home: 80, awayPeriods: [], homePeriods: [] },
};

const stat = (player_id: string, team_id: string, value: number) => ({
  game_id: 'G',
  league: 'NBA',
  player_id,
  team_id,
  stat: 'offense.pts',
  value: value * 10_000,
});

function toolsOf(stats: readonly ReturnType<typeof stat>[]) {
  const files = new StagedFiles();
  const file = files.add('stats', 'player-stats', stats);
  const head = {
    revision: 3,
    sourceObservation: { source_updated_at: 7 },
    snapshotFiles: [{ rows: stats.length, file }],
  };
  const stream = { epoch: 'E', head: head as unknown as PublishedRevision } as ServedStream;
  // Two players with the same name; the one who played has been traded since.
  const players = [
    { id: traded, firstName: 'Al', lastName: 'Bo', currentTeamId: 'elsewhere' },
    { id: teammate, firstName: 'Al', lastName: 'Bo', currentTeamId: home },
  ];
  return {
    msf: { stream: async () => stream, revisions: async () => [] },
    objects: { get: (key: string) => files.get(key), put: async () => {} },
    parquet: parquetWriter,
    settlements: {
      players: async (teams: readonly string[], ids: readonly string[]) =>
        players.filter(({ id, currentTeamId }) => ids.includes(id) || teams.includes(currentTeamId)),
    },
  };
}

it('grades by name the player who played, wherever he plays now', async () => {
  const tools = toolsOf([stat(traded, home, 21), stat(opponent, away, 30)]);
  const evidence = await gatherEvidence(tools, inputs, null);
  const selection = { market: 'player_points', period: 'full', selection: 'over', line: 20_500, playerId: null };
  const [row] =
    nextMarketResults(
      null,
      { gameId: 'G', league: 'NBA' },
      [{ ...selection, selectionId: 'player_points/full/over/Al Bo' }],
      evidence,
    ) ?? [];
  assert.deepEqual([row?.result, row?.player_id, row?.result_value], ['win', traded, 21_000]);
});
