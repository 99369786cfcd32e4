// Links to a real PostgreSQL over TLS, by libpq's modes: a correct URL opens them, and each wrong part is named within ten seconds
// (docs/operations.md#links).
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { SettingError } from '../../../platform/config/setting-error.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { plannedMigration, readyDatabase } from '../../../platform/postgres/ready-database.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { type Certificates, makeCertificates, opensslSkip } from '../../support/services/certificates.ts';
import type { Postgres } from '../../support/services/postgres.ts';
import type { Controls } from '../../support/services/process.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const shared = await services.postgres();
const secret = 'database-secret-of-no-worth';

describe('a link to PostgreSQL', skipFor(shared.skip || opensslSkip), () => {
  let made: Certificates;
  let server: Postgres & Controls;
  let host = '';
  let plainHost = '';

  beforeAll(async () => {
    made = await makeCertificates();
    const rights = join(made.folder, 'pg_hba.conf');
    const lines = [
      'host all tests all trust',
      'hostssl all mutual all scram-sha-256 clientcert=verify-ca',
      'hostssl all sds all scram-sha-256',
    ];
    writeFileSync(rights, `${lines.join('\n')}\n`);
    const own = await services.own.postgres({
      files: [made.folder, made.server.cert, made.server.key, made.ca, rights],
      settings: {
        ssl: 'on',
        ssl_cert_file: made.server.cert,
        ssl_key_file: made.server.key,
        ssl_ca_file: made.ca,
        hba_file: rights,
        // The certificate names only the first address.
        listen_addresses: '127.0.0.1,127.0.0.2',
      },
    });
    assert.equal(own.skip, false);
    server = own;
    host = new URL(server.url).host;
    plainHost = new URL(shared.url).host;
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (const role of ['sds', 'mutual'])
      await client.query(`create role ${role} login superuser password '${secret}'`);
    await client.query('create database sds');
    await client.end();
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    made?.[Symbol.dispose]();
  });

  const urlOf = (parameters: string, { user = 'sds', password = secret, at = host, database = 'sds' } = {}) =>
    `postgres://${user}:${password}@${at}/${database}${parameters === '' ? '' : `?${parameters}`}`;
  const own = () => `sslcert=${made.client.cert}&sslkey=${made.client.key}`;

  const right: readonly (readonly [string, () => string])[] = [
    ['require', () => urlOf('sslmode=require')],
    [
      'verify-ca',
      () => urlOf(`sslmode=verify-ca&sslrootcert=${made.ca}`, { at: host.replace('127.0.0.1', '127.0.0.2') }),
    ],
    ['verify-full', () => urlOf(`sslmode=verify-full&sslrootcert=${made.ca}`)],
    [
      'verify-full and a certificate',
      () => urlOf(`sslmode=verify-full&sslrootcert=${made.ca}&${own()}`, { user: 'mutual' }),
    ],
  ];
  for (const [name, url] of right)
    it(`opens with sslmode=${name}, and is encrypted`, async () => {
      const { databaseUrl } = readSettings({ DATABASE_URL: url() });
      const sql = openPool(databaseUrl ?? '');
      try {
        const { rows } = await sql.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
        assert.deepEqual(rows, [{ ssl: true }]);
      } finally {
        await sql.close();
      }
      await plannedMigration({ kind: 'given', url: databaseUrl ?? '' }, silentLog);
    });

  const verified = () => `sslmode=verify-full&sslrootcert=${made.ca}`;
  const wrong: readonly (readonly [string, () => string, RegExp])[] = [
    [
      'no TLS, which the server demands',
      () => urlOf(''),
      /asks for no TLS, which the database demands .*sslmode=verify-full/,
    ],
    [
      'TLS, where the server has none',
      () => urlOf(verified(), { at: plainHost, user: 'tests' }),
      /asks for TLS by its sslmode, and the database has none .*sslmode=disable$/,
    ],
    [
      'a host that the certificate does not name',
      () => urlOf(verified(), { at: host.replace('127.0.0.1', '127.0.0.2') }),
      /has a host that is not in the server's certificate/,
    ],
    [
      'no authority',
      () => urlOf('sslmode=verify-full'),
      /has no sslrootcert with the authority of the server's certificate/,
    ],
    [
      'another authority',
      () => urlOf(`sslmode=verify-full&sslrootcert=${made.otherCa}`),
      /has no sslrootcert with the authority/,
    ],
    [
      'another authority by verify-ca',
      () => urlOf(`sslmode=verify-ca&sslrootcert=${made.otherCa}`),
      /has no sslrootcert with the authority/,
    ],
    [
      'no certificate, where one is asked for',
      () => urlOf(verified(), { user: 'mutual' }),
      /has no sslcert and sslkey that the database takes/,
    ],
    [
      'a certificate of another authority',
      () =>
        urlOf(`${verified()}&sslcert=${made.foreignClient.cert}&sslkey=${made.foreignClient.key}`, { user: 'mutual' }),
      /has no sslcert and sslkey that the database takes/,
    ],
    [
      'a wrong password',
      () => urlOf(verified(), { password: 'guessed' }),
      /has no password, or one that the database refuses/,
    ],
    [
      'a login that the server does not know',
      () => urlOf(verified(), { user: 'stranger' }),
      /has a login that the database refuses/,
    ],
    [
      'a database that does not exist',
      () => urlOf(verified(), { database: 'none' }),
      /names a database that does not exist/,
    ],
  ];
  for (const [name, url, message] of wrong)
    it(`names ${name}`, async () => {
      const begun = ownMs();
      const { databaseUrl } = readSettings({ DATABASE_URL: url() });
      const login = { kind: 'given', url: databaseUrl ?? '' } as const;
      for (const open of [() => readyDatabase(login, silentLog, 'check', []), () => plannedMigration(login, silentLog)])
        await assert.rejects(open(), (error) => {
          assert.ok(error instanceof SettingError, String(error));
          assert.match(error.message, message);
          assert.match(error.message, /^DATABASE_URL /);
          assert.doesNotMatch(error.message, /of-no-worth|guessed/);
          return true;
        });
      assert.ok(ownMs() - begun < 10_000);
    });
});
