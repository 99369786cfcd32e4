// The demo's key: whenever the process is killed, the next start leaves exactly one active key, its own.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { unrestricted } from '../../../core/access/feed-grant.ts';
import { renewFeedKey } from '../../../ops/service/own-feed-key.ts';

it('a feed key of the service’s own is the only one, wherever earlier starts were killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sds-own-key-'));
  try {
    const active = new Set<string>();
    let killed: 'before' | 'after' | null = null;
    const keys = {
      async addFeedKey({ id }: { id: string }) {
        if (killed === 'before') throw new Error('killed');
        active.add(id);
        if (killed === 'after') throw new Error('killed');
      },
      revokeFeedKey: async (id: string) => active.delete(id),
    };
    const peppers = [{ version: 1, secret: new Uint8Array(32) }];
    const renew = () => renewFeedKey(keys, peppers, folder, 'demo', unrestricted(['demo-odds'], ['push']));
    for (killed of [null, 'before', 'after', 'after', null, null] as const) {
      const key = await renew().catch(() => null);
      assert.equal(key === null, killed !== null);
      assert.ok(active.size <= 1, `${active.size} active keys`);
      if (key !== null) assert.deepEqual([...active], [key.id]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
