// r) Like d), with services in the request's path: Redis counts each request, and PostgreSQL's ledger charges those
// that are not paid. Reads a manifest, a closed segment that is paid, and a board that is charged each time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { services } from '../support/services/services.ts';
import type { Bench } from './bench.ts';
import { closeConnections } from './http.ts';
import { compare, publishGame, save, serveStatic } from './serving.ts';
import { startService } from './started-service.ts';

const redis = await services.redis();

export const servingWithServices: Bench = {
  letter: 'r',
  title: 'API with Redis and PostgreSQL in the path beside static files',
  async run(run) {
    if (redis.skip !== false) {
      run.note([`not measured: ${redis.skip}`]);
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'sds-bench-static-'));
    await using service = await startService({ REDIS_URL: redis.url, SDS_BOARD_WEIGHT: '1' });
    try {
      run.say('filling a game');
      const base = await publishGame(service);
      await using files = await serveStatic(run, folder);
      for (const { what, path } of [
        { what: 'manifest, limited by Redis', path: '/segments' },
        { what: 'closed segment, limited by Redis, paid', path: '/segments/1' },
        { what: 'board, limited by Redis, charged in PostgreSQL each time', path: '/board/BENCHBOOK' },
      ]) {
        const name = path.replaceAll('/', '-').slice(1);
        const bytes = await save(service, base + path, join(folder, name));
        closeConnections();
        const label = `${what} (${(bytes / 1024).toFixed(0)} KB)`;
        await compare(run, service, base, files.name, { what: label, path, static: `${files.url}/${name}` }, null);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
