// s) Like d), for streams of MySportsFeeds data: the changes after a cursor, as a follower of a game requests them,
// which are free; and the files of a revision, each read of which PostgreSQL charges. The game is pushed through the
// gateway, with more plays in each body.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gameUuid } from '../../core/msf/ids.ts';
import { snapshotAddress } from '../../core/msf/published/addresses.ts';
import { formatCursor } from '../../core/msf/published/cursor.ts';
import type { SnapshotManifest } from '../../schemas/http/msf.ts';
import { until } from '../support/services/until.ts';
import type { Bench } from './bench.ts';
import { closeConnections, request } from './http.ts';
import { playByPlay, playsOfGame } from './msf-bodies.ts';
import { compare, save, serveStatic } from './serving.ts';
import { type StartedService, startService } from './started-service.ts';

const bodies = 10;
const playsOfBody = 50;
const league = 'NBA';
const msfGameId = 42_070;
const dataset = 'plays';

/** Complete URLs. */
type Published = { changes: string; change: string; snapshot: string };

export const servingStreams: Bench = {
  letter: 's',
  title: 'streams over loopback beside static files',
  async run(run) {
    const folder = mkdtempSync(join(tmpdir(), 'sds-bench-streams-'));
    await using service = await startService({});
    try {
      run.say('filling a stream');
      const urls = await publishStream(service);
      await using files = await serveStatic(run, folder);
      for (const [name, content, least] of [
        ['changes', 'changes after the last but one revision', 0.45],
        ['change', `file of a change of ${playsOfBody} plays, charged each time`, null],
        ['snapshot', `file of a snapshot of ${bodies * playsOfBody} plays, charged each time`, null],
      ] as const) {
        const bytes = await save(service, urls[name], join(folder, name));
        closeConnections();
        const what = `${content} (${(bytes / 1024).toFixed(1)} KB)`;
        const publish = async (other: StartedService) => (await publishStream(other))[name];
        const target = { what, path: '', static: `${files.url}/${name}`, publish };
        await compare(run, service, urls[name], files.name, target, least);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Pushes a game's plays, more of them in each body; answers the URLs of its newest revision. */
async function publishStream({ ready }: StartedService): Promise<Published> {
  const plays = playsOfGame(bodies * playsOfBody, 1);
  for (let body = 1; body <= bodies; body += 1) {
    const element = playByPlay(msfGameId, plays.slice(0, body * playsOfBody), 'LIVE');
    const answer = await request(`${ready.ingest_url}/v1/sources/bench/msf/nba/current/playbyplay`, ready.feed_key, {
      method: 'POST',
      body: JSON.stringify({ lastUpdatedOn: new Date().toISOString(), ...element, references: null }),
    });
    if (answer.status !== 202) throw new Error(`push: ${answer.status} ${answer.body}`);
  }
  const scope = { kind: 'game', id: gameUuid(league, msfGameId) } as const;
  let manifest: SnapshotManifest | null = null;
  await until('all revisions are published', async () => {
    const { status, body } = await request(ready.api_url + snapshotAddress(scope, dataset), ready.api_key);
    manifest = status === 200 ? (JSON.parse(body) as SnapshotManifest) : null;
    return manifest?.revision === bodies;
  });
  return manifest === null ? Promise.reject(new Error('no revision')) : urlsOf(ready.api_url, scope.id, manifest);
}

function urlsOf(api: string, scopeUuid: string, { stream_epoch: epoch, revision, files }: SnapshotManifest): Published {
  const [file] = files;
  if (file === undefined) throw new Error('a snapshot has no file');
  const snapshot = api + file.url;
  const cursor = formatCursor({ dataset, scopeUuid, epoch, revision: revision - 1 });
  const stream = snapshot.slice(0, snapshot.indexOf('/revisions/'));
  return {
    changes: `${stream}/changes?cursor=${cursor}`,
    change: snapshot.replace('/snapshot/', '/change/'),
    snapshot,
  };
}
