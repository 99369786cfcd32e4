// Claim: a deploy that changes the columns of the live log, or its rules, continues with the same rows
// (docs/quotes.md#log-restarts; docs/metering.md#charge-after-a-rebuild). Three releases run in turn on one data
// directory: the last without versions of logs, this one, one with a further column. Each restarts the logs, refuses
// old cursors and charges paid rows no more. A violation would need a tail stitched to files with other columns, or
// states of other rules compared.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { editions, openPlace, type Place } from '../../support/campaigns/place.ts';
import { Program } from '../../support/campaigns/program.ts';
import type { Manifest } from '../../support/editions/published-game.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { furtherColumn, furtherValue } from '../../support/processes/further-column.ts';
import { formerRelease, nextRelease, releaseSkip } from '../../support/processes/releases.ts';
import { runSds } from '../../support/processes/sds.ts';
import { until } from '../../support/services/until.ts';
import { leftOut } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** The last release that recorded no version of its logs. */
const before = 'b1f2145';

/**
 * How many images each game has in the first release: segments of the first game are closed, and every game has an open
 * tail.
 */
const slate = [
  { home: 'NYY', away: 'STL', images: 160 },
  { home: 'BOS', away: 'CHC', images: 12 },
  { home: 'LAD', away: 'SF', images: 1 },
];
const later = 3;
const books = ['ALPHA', 'BETA'];
const selections = ['home', 'away', 'draw', 'either', 'neither', 'both'];
/** Each image of a sportsbook moves every price. */
const rowsOfImage = books.length * selections.length;
const firstAt = Date.UTC(2026, 2, 2, 18);

type Service = { api_url: string; ingest_url: string; api_key: string; feed_key: string };

/** What a reader holds of a game. */
type Read = {
  cursor: string;
  seqs: number[];
  rows: readonly ParquetRow[];
  boards: readonly ParquetRow[];
  debited: number;
};

for (const edition of editions) {
  describe(
    `releases one after the other, ${edition}`,
    skipFor(releaseSkip(before) || leftOut(edition, editions)),
    () => {
      it('go on with the same rows', async (t) => {
        const place = await openPlace(edition, { partitions: 2, bare: true });
        if (typeof place === 'string') return t.skip(place);
        const folder = makeDataFolder('releases');
        try {
          const story = new Story();
          await run(place, formerRelease(folder, before), (service) => story.begin(service));
          await run(place, nextRelease(folder, 'this', []), (service) => story.runRelease(service), 'killed');
          const further = nextRelease(folder, 'further', furtherColumn);
          await run(place, further, (service) => story.runRelease(service, furtherValue));
        } finally {
          await place.close();
          rmSync(folder, { recursive: true, force: true });
        }
      });
    },
  );
}

/** Runs a release while `visit` runs, and asserts that it logged no halt and no defect. */
async function run(
  place: Place,
  checkout: string,
  visit: (service: Service) => Promise<void>,
  end: 'stopped' | 'killed' = 'stopped',
): Promise<void> {
  const ready = join(place.folder, 'ready.json');
  const environment = {
    ...place.environment,
    // The embedded edition has its own database in the data directory.
    ...(place.environment.SDS_EDITION === 'embedded' ? { DATABASE_URL: '' } : {}),
    SDS_READY_FILE: ready,
    SDS_DEMO: 'off',
  };
  if (place.environment.SDS_EDITION === 'distributed') {
    const migrated = await runSds(environment, ['migrate'], { of: checkout });
    assert.equal(migrated.code, 0, migrated.err);
  }
  const program = new Program('service', environment, { roles: ['all'], of: checkout });
  program.start();
  try {
    await program.untilReady();
    assert.ok(program.ready, JSON.stringify(program.ends));
    await visit(JSON.parse(readFileSync(ready, 'utf8')) as Service);
    const verified = await runSds(environment, ['verify'], { of: checkout });
    assert.equal(verified.code, 0, verified.out + verified.err);
    if (end === 'stopped') program.terminate();
    if (end === 'stopped') await program.ended();
  } finally {
    await program.kill();
  }
  assert.deepEqual(
    program.said.filter(({ msg }) => /halted|ended|failed/.test(msg)),
    [],
  );
}

/** What one reader and one source experience across releases. */
class Story {
  readonly #images = slate.map(() => 0);
  #read: Read[] = [];

  async begin(service: Service): Promise<void> {
    for (const [game, { images }] of slate.entries()) await this.#push(service, game, images);
    this.#read = await this.#readAll(service);
    assert.ok((this.#read[0]?.seqs.length ?? 0) > 2, 'segments were closed');
    for (const { rows, debited } of this.#read) assert.equal(debited, rows.length);
  }

  /** `more`: columns of this release that the one before lacked, with their values in new rows. */
  async runRelease(service: Service, more: ParquetRow = {}): Promise<void> {
    const former = this.#read;
    for (const [game, { cursor }] of former.entries()) {
      await until('the log was started over', async () => (await list(service, game, cursor)).status === 409);
      const { type } = (await (await list(service, game, cursor)).json()) as { type: string };
      assert.match(type, /\/live-cursor-reset$/);
    }
    const again = await this.#readAll(service);
    const empty = Object.fromEntries(Object.keys(more).map((name) => [name, null]));
    for (const [game, { rows, boards, seqs, debited }] of again.entries()) {
      const known = former[game]!;
      assert.deepEqual(
        rows,
        known.rows.map((row) => ({ ...row, ...empty })),
      );
      assert.deepEqual(
        boards,
        known.boards.map((row) => ({ ...row, ...empty })),
      );
      assert.ok(Math.min(...seqs) > Math.max(...known.seqs), 'every new seq is above all earlier ones');
      assert.equal(debited, 0, 'rows that were paid before are not debited again');
    }

    for (const game of slate.keys()) await this.#push(service, game, later);
    this.#read = await this.#readAll(service);
    for (const [game, { rows }] of this.#read.entries()) {
      const known = again[game]!;
      const news = await readRows(service, game, known.cursor);
      assert.equal(news.rows.length, later * rowsOfImage);
      assert.deepEqual(rows, [...known.rows, ...news.rows], 'a cursor of the new log continues');
      for (const row of news.rows) assert.deepEqual({ ...row, ...more }, row);
    }
  }

  /** Pushes images of both sportsbooks, a minute apart; resolves when they are published. */
  async #push(service: Service, game: number, images: number): Promise<void> {
    const from = this.#images[game]!;
    this.#images[game] = from + images;
    const events = Array.from({ length: images }, (_, image) => eventsOf(game, from + image)).flat();
    const response = await fetch(`${service.ingest_url}/v1/sources/feed/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.feed_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    assert.equal(response.status, 202, await response.text());
    await until('it is published', async () => (await rowsListed(service, game)) === this.#images[game]! * rowsOfImage);
  }

  async #readAll(service: Service): Promise<Read[]> {
    const reads: Read[] = [];
    for (const game of slate.keys()) {
      const listed = await listed200(service, game);
      const boards: ParquetRow[] = [];
      for (const { url } of listed.board.files) boards.push(...(await readFile(service, url)).rows);
      reads.push({ ...(await readRows(service, game)), boards });
    }
    return reads;
  }
}

function eventsOf(game: number, image: number) {
  const { home, away } = slate[game]!;
  const commence = new Date(firstAt + 24 * 3_600_000).toISOString();
  return books.map((operator) => ({
    kind: 'image',
    operator,
    observed_at: new Date(firstAt + image * 60_000).toISOString(),
    game: { league: 'MLB', event_id: `${away}-${home}`, home_team: home, away_team: away, commence_time: commence },
    quotes: selections.map((selection, at) => {
      return { market: 'moneyline', selection, price: { american: 100 + ((image * 7 + at * 3) % 400) } };
    }),
  }));
}

const idOf = (game: number) => `MLB_${slate[game]!.away}_${slate[game]!.home}_20260303`;

function get(service: Service, path: string): Promise<Response> {
  return fetch(service.api_url + path, { headers: { authorization: `Bearer ${service.api_key}` } });
}

function list(service: Service, game: number, cursor?: string): Promise<Response> {
  const query = cursor === undefined ? '' : `?cursor=${cursor}`;
  return get(service, `/v1/games/${idOf(game)}/sportsbook-lines/segments${query}`);
}

async function listed200(service: Service, game: number, cursor?: string): Promise<Manifest> {
  const response = await list(service, game, cursor);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Manifest;
}

async function rowsListed(service: Service, game: number): Promise<number> {
  const { segments } = await listed200(service, game);
  return segments.reduce((sum, { rows }) => sum + rows, 0);
}

/** The rows after a cursor, and what they cost. */
async function readRows(service: Service, game: number, cursor?: string): Promise<Omit<Read, 'boards'>> {
  const manifest = await listed200(service, game, cursor);
  const read = { cursor: manifest.cursor, seqs: manifest.segments.map(({ seq }) => seq), rows: [] as ParquetRow[] };
  let debited = 0;
  for (const { url, rows, from_row: from = 0 } of manifest.segments) {
    const file = await readFile(service, url);
    assert.equal(file.rows.length, rows);
    read.rows.push(...file.rows.slice(from));
    debited += file.debited;
  }
  return { ...read, debited };
}

async function readFile(service: Service, url: string): Promise<{ rows: readonly ParquetRow[]; debited: number }> {
  const response = await get(service, url);
  assert.equal(response.status, 200, await response.clone().text());
  const debited = Number(response.headers.get('x-service-debited'));
  return { ...parquetWriter.decodeOwnColumns(new Uint8Array(await response.arrayBuffer())), debited };
}
