// Verifies the final files of a closed game: builds everything again from what is stored — the closed log, the orders, the evidence — and
// compares it with the newest versions (I32). Also checks that the game's entry in the list agrees with its files.
import { isDeepStrictEqual } from 'node:util';
import { shownStatus } from '../../core/games/shown-status.ts';
import type { CatalogGame, GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { SettlementCatalog, SettlementInputs } from '../../core/ports/catalog/settlement.ts';
import { buildFinals, type FinalsTools } from '../../projectors/settlement/build-finals.ts';
import { InputDamaged } from '../../projectors/settlement/settlement-tools.ts';
import type { Report } from './report.ts';

export type FinalsProof = FinalsTools & {
  settlements: Pick<SettlementCatalog, 'inputs' | 'players' | 'state'>;
  games: Pick<GamesCatalog, 'find'>;
  report: Report;
};

/** `game`: as it was listed, however long ago. */
export async function verifyFinals(tools: FinalsProof, game: CatalogGame): Promise<void> {
  const { settlements, games, artifacts, report } = tools;
  const { uuid, gameId } = game;
  const { artifacts: finals } = await artifacts.served(uuid);
  if (finals.length === 0) return;
  // It may have settled since it was listed.
  if (isInProgress(game) && isInProgress((await games.find(uuid)) ?? game))
    report.violated('I32', gameId, 'it has final files but is listed as in progress');
  const inputs = await settlements.inputs(uuid);
  if (inputs === null) {
    report.violated('I32', gameId, 'it has final files but no closed log');
    return;
  }
  const state = await settlements.state(uuid);
  if (state?.built !== true || inputs.built === null) {
    report.count('games not settled yet');
    return;
  }
  // Evidence that arrived after the 30 days was not used, so the inputs differ from those of the build.
  if (inputs.built.evidence !== inputs.standing.evidence) {
    report.count('games with later evidence');
    return;
  }
  try {
    // Reference data that has changed since makes no version, so names count as they did for the newest one.
    const differing = await buildFinals(tools, { ...inputs, built: null }, async () => {}, 'as landed');
    if (!(await standsStill(settlements, inputs))) {
      report.count('games not settled yet');
      return;
    }
    report.count('games rebuilt');
    for (const { dataset, version } of differing)
      report.violated('I32', `${gameId} ${dataset}`, `a rebuild differs: it would land as version ${version}`);
  } catch (error) {
    if (!(error instanceof InputDamaged)) throw error;
    report.violated('I4', gameId, error.message);
  }
}

function isInProgress(game: CatalogGame): boolean {
  return shownStatus(game) === 'STARTED';
}

/** Whether nothing has arrived or landed since the inputs were read: otherwise the compared files are of two moments. */
async function standsStill(
  settlements: FinalsProof['settlements'],
  { closed, built, standing }: SettlementInputs,
): Promise<boolean> {
  const now = await settlements.inputs(closed.gameUuid);
  return now !== null && isDeepStrictEqual([now.built, now.standing], [built, standing]);
}
