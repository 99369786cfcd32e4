import type { Artifact } from '../../core/ports/catalog/artifacts.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { isRefusal } from '../../http/refusal.ts';
import { perGameNames } from '../../schemas/datasets/registry.ts';
import { type ArtifactVersion, artifactVersions } from '../../schemas/http/artifacts.ts';
import { etagOfSha256 } from '../http/etag.ts';
import { route } from '../pipeline/route.ts';
import type { FinalFiles } from '../serving/final-files.ts';

export const listVersions = route({
  path: '/v1/games/:game_id/:dataset/versions',
  id: 'listVersions',
  tag: 'Final files',
  summary: 'The versions of the file of one dataset of a settled game.',
  details:
    'Newest first. A version never changes; a correction is a new one. Most games settle on provisional statistics, so a second version of `market-results` within hours is the normal case.',
  key: 'required',
  game: 'identity',
  query: {},
  answers: { 200: artifactVersions, 404: ['not-found', 'not-final'] },
  charge: 'free',
  cache: 'revalidated',
  datasets: perGameNames,
  async handle({ game, params: { dataset } }, { finals }: { finals: FinalFiles }) {
    const newest = await finals.newest(game, dataset);
    if (isRefusal(newest)) return newest;
    const all = await finals.versions(newest);
    return { document: { data: all.map((version) => versionRecord(game.gameId, version)) } };
  },
});

function versionRecord(gameId: string, of: Artifact): ArtifactVersion {
  const { dataset, version, file, rows, landedAt, reason } = of;
  return {
    version,
    etag: etagOfSha256(file.sha256),
    row_count: rows,
    bytes: file.size,
    landed_at: formatMicros(landedAt),
    reason,
    url: `/v1/games/${gameId}/${dataset}?version=${version}`,
  };
}
