// Settles one game with the evidence there is: builds the files that differ, puts them under keys of this attempt and lands them in one transaction.
// A kill leaves orphans, never a partial landing. If several workers settle the same game, each version lands once.
import { createHash } from 'node:crypto';
import type { LandedArtifact } from '../../core/ports/catalog/artifacts.ts';
import type { ObjectKey } from '../../core/ports/object-store.ts';
import { longestFlush } from '../worker/partition-tools.ts';
import { type BuiltFinal, buildFinals } from './build-finals.ts';
import type { SettlementTools } from './settlement-tools.ts';

/** How often everything else of the process has its turn during a build. */
type Pause = () => Promise<void>;

/** `nothing`: the game is not closed. `overtaken`: it is to be built again. @throws InputDamaged, CatalogUnavailable */
export async function settleGame(
  tools: SettlementTools,
  gameUuid: string,
  pause: Pause,
): Promise<'landed' | 'overtaken' | 'nothing'> {
  const inputs = await tools.settlements.inputs(gameUuid);
  if (inputs === null) return 'nothing';
  const finals = await buildFinals(tools, inputs, pause);
  tools.crash('settlement:built');
  const attempt = tools.newAttempt();
  const began = tools.clock.now();
  const artifacts = await Promise.all(finals.map((final) => put(tools, gameUuid, attempt, final)));
  tools.crash('settlement:before-landing');
  // Files put so long ago may be gone: the collector treats objects twice as old as orphans.
  if (tools.clock.now() - began > longestFlush) return 'overtaken';
  const answer = await tools.settlements.land(gameUuid, artifacts, inputs);
  tools.crash('settlement:landed');
  const { gameId } = inputs;
  for (const { dataset, version, rows } of answer === 'landed' ? artifacts : [])
    tools.log.info('final file landed', { game: gameId, dataset, version, rows });
  if (answer === 'overtaken') tools.log.info('game settled by another worker meanwhile', { game: gameId });
  return answer;
}

async function put(
  { objects }: SettlementTools,
  gameUuid: string,
  attempt: string,
  { dataset, version, rows, bytes, reason }: BuiltFinal,
): Promise<LandedArtifact> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = `finals/${gameUuid}/${dataset}/${version}-${attempt}-${sha256.slice(0, 12)}.parquet` as ObjectKey;
  await objects.put(key, bytes);
  return { dataset, version, rows, reason, file: { key, offset: 0, size: bytes.length, sha256 } };
}
