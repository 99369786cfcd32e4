// Which errors of the database's driver count as outages: every failure to connect, and every lost connection.
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { CatalogRefused, CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import { asCatalogError, asRefusal, connectionBroke } from '../../../platform/postgres/failures.ts';
import { unique } from '../../support/services/unique.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const elsewhere = process.platform === 'linux' ? false : 'only Linux says EAGAIN of a full queue';

const failed = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

describe('an outage of the database', () => {
  for (const code of [
    'ECONNREFUSED',
    'ENOENT',
    'EAGAIN',
    'EMFILE',
    'ENFILE',
    'ENOBUFS',
    'EADDRNOTAVAIL',
    'ENOTFOUND',
  ]) {
    it(`is ${code}: no connection was made`, () => {
      assert.ok(asCatalogError(failed(code)) instanceof CatalogUnavailable);
      assert.ok(!connectionBroke(failed(code)), 'nothing was under way');
    });
  }

  for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '08006']) {
    it(`is ${code}: a connection died`, () => {
      assert.ok(asCatalogError(failed(code)) instanceof CatalogUnavailable);
      assert.ok(connectionBroke(failed(code)));
    });
  }

  it(
    'is the error of a local server that accepts no connection, once its queue is full',
    skipFor(elsewhere),
    async () => {
      const path = join(tmpdir(), unique('queue'));
      const server = createServer().listen({ path, backlog: 1 });
      const sockets: ReturnType<typeof connect>[] = [];
      try {
        await new Promise((resolve) => server.once('listening', resolve));
        // Synchronous, so that this process accepts no connection in between.
        const first = new Promise<Error>((resolve) => {
          for (let count = 0; count < 64; count += 1) sockets.push(connect(path).on('error', resolve));
        });
        const error = await first;
        assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN');
        assert.ok(asCatalogError(error) instanceof CatalogUnavailable);
      } finally {
        for (const socket of sockets) socket.destroy();
        server.close();
      }
    },
  );

  it('is no defect of ours', () => {
    for (const error of [failed('42601'), new TypeError('x'), failed('23505')])
      assert.equal(asCatalogError(error), error);
  });
});

describe('a refusal of the database for good', () => {
  for (const code of ['22P02', '22003', '23505', '23502', '54000']) {
    it(`is ${code}: the values' own`, () => {
      const refusal = asRefusal(failed(code));
      assert.ok(refusal instanceof CatalogRefused);
      assert.match(refusal.message, new RegExp(code));
    });
  }

  it('is what JavaScript has no text for, before anything is sent', () => {
    assert.throws(
      () => 'x'.repeat(2 ** 30),
      (error) => asRefusal(error) instanceof CatalogRefused,
    );
  });

  it('is no outage, no clash of transactions and no defect of ours', () => {
    for (const error of [
      new CatalogUnavailable('x'),
      failed('40001'),
      failed('40P01'),
      failed('42601'),
      new TypeError(),
    ])
      assert.equal(asRefusal(error), error);
  });
});
