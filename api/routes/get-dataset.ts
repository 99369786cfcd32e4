// The file of one dataset of a settled game: its newest version, or the one that the query names.
import type { Artifact } from '../../core/ports/catalog/artifacts.ts';
import { isRefusal } from '../../http/refusal.ts';
import { perGameNames } from '../../schemas/datasets/registry.ts';
import { versionParameter } from '../../schemas/http/parameters.ts';
import { type PricedFile, route } from '../pipeline/route.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';
import { type FinalFiles, noSuchVersion } from '../serving/final-files.ts';
import type { GameIdentity } from '../serving/game-directory.ts';

export const getDataset = route({
  path: '/v1/games/:game_id/:dataset',
  id: 'getDataset',
  tag: 'Final files',
  summary: 'The file of one dataset of a settled game.',
  details:
    'The whole file, or a byte range of it; filtering is up to the client. A range is charged like the whole file. Without `version` you get the newest version; older versions are served and charged in the same way. While sportsbook lines are still served live, the answer is `not-final` with the URLs of the live routes.',
  key: 'required',
  game: 'identity',
  query: { version: versionParameter.optional() },
  answers: { 200: 'parquet', 404: ['not-found', 'not-final'] },
  charge: 'file-rows',
  cache: 'live',
  versioned: true,
  datasets: perGameNames,
  async handle(
    { game, params: { dataset }, query: { version } },
    { finals, answers }: { finals: FinalFiles; answers: AnswerCache },
  ) {
    const newest = await finals.newest(game, dataset, version);
    if (isRefusal(newest)) return newest;
    if (version === undefined || version === newest.version) return priced(game, newest, answers);
    const older = (await finals.versions(newest)).find((one) => one.version === version);
    return older === undefined ? noSuchVersion(newest, version) : priced(game, older, answers);
  },
});

/** Each read, also of a range, is charged the rows of the whole file (docs/metering.md#what-a-read-costs). */
function priced({ uuid, gameId }: GameIdentity, artifact: Artifact, answers: AnswerCache): PricedFile {
  const { dataset, version, rows } = artifact;
  return {
    file: answers.artifact(artifact),
    read: { kind: 'file', gameUuid: uuid, gameId, dataset, subject: `${dataset}/${version}`, rows },
  };
}
