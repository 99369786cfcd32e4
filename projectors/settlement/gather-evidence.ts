// The evidence of a game's result, read from the heads of its streams (docs/settlement.md#evidence).
import type { ServedStream } from '../../core/ports/catalog/msf.ts';
import type { SettlementInputs } from '../../core/ports/catalog/settlement.ts';
import type { Evidence, GameStateEvidence, PlayerStatsEvidence } from '../../core/settlement/evidence.ts';
import type { GameStateRow } from '../../schemas/datasets/game-state.ts';
import type { PlayerStatsRow } from '../../schemas/datasets/player-stats.ts';
import { committedFile } from './committed-file.ts';
import type { SettlementTools } from './settlement-tools.ts';

type Tools = Pick<SettlementTools, 'msf' | 'objects' | 'parquet'> & {
  settlements: Pick<SettlementTools['settlements'], 'players'>;
};

/** @throws InputDamaged when a snapshot is not the committed one */
export async function gatherEvidence(
  tools: Tools,
  { closed, homeTeamId: home, awayTeamId: away, manual }: SettlementInputs,
  gameStateStream: ServedStream | null,
): Promise<Evidence> {
  const statsStream = await tools.msf.stream({ scopeUuid: closed.gameUuid, dataset: 'player-stats' });
  const [row] = (await headRows(tools, gameStateStream)) as readonly GameStateRow[];
  const stats = (await headRows(tools, statsStream)) as readonly PlayerStatsRow[];
  const { status } = closed.course;
  // The streams know the game's teams, also where the catalog does not.
  const homeTeamId = row?.home_team_id ?? home;
  const awayTeamId = row?.away_team_id ?? away;
  const teams = [homeTeamId, awayTeamId].filter((id) => id !== null);
  // Who played is known by name wherever he plays now: a trade after the game changes nothing.
  const played = new Set(stats.map(({ player_id: id }) => id));
  return {
    homeTeamId,
    awayTeamId,
    cancelledAt: status?.status === 'CANCELLED' ? status.at : null,
    manual,
    gameState: gameStateStream === null || row === undefined ? null : gameStateEvidence(gameStateStream, row),
    playerStats: statsStream === null ? null : playerStatsEvidence(statsStream, stats),
    players: await tools.settlements.players(teams, [...played]),
  };
}

/** The rows of the stream at its head. */
async function headRows(
  { objects, parquet }: Pick<Tools, 'objects' | 'parquet'>,
  stream: ServedStream | null,
): Promise<readonly object[]> {
  const rows = [];
  for (const { file } of stream?.head?.snapshotFiles ?? [])
    rows.push(...parquet.decodeOwnColumns(await committedFile(objects, file)).rows);
  return rows;
}

function gameStateEvidence({ epoch, head }: ServedStream, row: GameStateRow): GameStateEvidence | null {
  if (head === null) return null;
  return {
    epoch,
    revision: head.revision,
    at: head.sourceObservation.source_updated_at,
    playedStatus: row.played_status,
    away: row.away_score,
    home: row.home_score,
    awayPeriods: row.away_period_scores,
    homePeriods: row.home_period_scores,
  };
}

function playerStatsEvidence(
  { epoch, head }: ServedStream,
  rows: readonly PlayerStatsRow[],
): PlayerStatsEvidence | null {
  if (head === null) return null;
  return {
    epoch,
    revision: head.revision,
    at: head.sourceObservation.source_updated_at,
    rows: rows.map((row) => ({ playerId: row.player_id, teamId: row.team_id, stat: row.stat, value: row.value })),
  };
}
