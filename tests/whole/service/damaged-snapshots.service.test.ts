// Claim: a damaged or missing snapshot of a partition's state only slows down the next owner, in both editions: with an older
// snapshot, or the log alone, rows, boards and revisions go on as if it were there, and no partition halts. A violation would need an owner
// that believes damaged bytes, folds what is committed into the files once more, or does not read far enough back.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, it } from 'vitest';
import type { Role } from '../../../ops/service/roles.ts';
import { Report } from '../../../ops/verify/report.ts';
import { verifyServed } from '../../../ops/verify/verify-log.ts';
import { verifyStreams } from '../../../ops/verify/verify-streams.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { bodyOf, gameObject, play } from '../../support/builders/msf-bodies.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { everythingFolded } from '../../support/editions/everything-folded.ts';
import { pushMsf } from '../../support/editions/msf-client.ts';
import { getJson, getRows, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { send } from '../../support/http/gateway-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { testPeppers } from '../../support/processes/process-environment.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const game = 'NBA_BOS_CLE_20260109';
const prices = [-110, -115, -120, -125, -130];

/** The damage to the newest snapshots: missing, or the position of a changed byte. */
type Damage = readonly ('gone' | number)[];
/** The damage done after each run of the service. */
const damages: readonly Damage[] = [[], ['gone'], [3, 'gone'], [8, 0, 'gone']];

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`snapshots that are damaged, ${name}`, skipFor(skip), () => {
    it('are passed over: what is published goes on from what was', async (t) => {
      const { drop, ...setting } = await prepare();
      const folder = makeDataFolder('snapshots');
      t.onTestFinished(async () => {
        await drop();
        rmSync(folder, { recursive: true, force: true });
      });
      const environment = {
        SDS_SESSION_MS: '1000',
        SDS_KEY_PEPPERS: testPeppers,
        ...setting.environment,
        SDS_DATA_DIR: folder,
      };
      const live = async (roles: readonly Role[], work: (edition: Edition) => Promise<void>): Promise<void> => {
        const edition = await startEdition({ ...setting, environment, roles });
        try {
          await work(edition);
        } finally {
          await edition.stop();
        }
      };

      for (const [index, price] of prices.entries()) {
        await live(['api', 'ingest', 'projectors'], async (edition) => {
          await push(edition, index + 1, price);
          await everythingFolded(edition);
          await assertPublished(edition, index + 1);
          const streams = await edition.drivers.catalogs.operations.streams();
          assert.ok(streams.length > 0 && streams.every(({ halted }) => halted === null));
        });
        // No projector runs, so the newest snapshots are those written at the stop.
        const damage = damages[index] ?? [];
        if (damage.length > 0) await live(['ingest'], (edition) => damageSnapshots(edition, damage));
      }
    });
  });
}

/** Pushes an image of one price, and a body with this many plays. */
async function push(edition: Edition, plays: number, price: number): Promise<void> {
  const key = await edition.feedKey(['push', 'msf']);
  const target = { league: 'NBA', season: '2025-2026-regular', feed: 'playbyplay', game: 900001 };
  const growing = Array.from({ length: plays }, (_, second) => play({ quarter: 1, secondsElapsed: second }));
  await pushMsf(edition, key, target, bodyOf({ game: gameObject(), plays: growing }));
  const quotes = [{ market: 'moneyline', selection: 'home', price: { american: price } }];
  const answer = await send(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [{ kind: 'image', operator: 'X', game: { game_id: game }, quotes }] }),
  });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
}

/** Damages the newest snapshots of each stream. */
async function damageSnapshots({ drivers }: Edition, damage: Damage): Promise<void> {
  const { rows } = await drivers.sql.query('select snapshot_key, older_snapshots from stream_state');
  let most = 0;
  for (const { snapshot_key: newest, older_snapshots: older } of rows) {
    const keys = [newest as string | null, ...(older as { key: string }[]).map(({ key }) => key)];
    most = Math.max(most, keys.length);
    for (const [index, how] of damage.entries()) {
      const key = keys[index];
      if (key == null || how === undefined) continue;
      const bytes = await drivers.objects.get(key);
      assert.ok(bytes !== null, key);
      await drivers.objects.delete([key]);
      if (how !== 'gone')
        await drivers.objects.put(
          key,
          bytes.map((byte, at) => (at === how ? byte ^ 1 : byte)),
        );
    }
  }
  assert.ok(most >= damage.length);
}

async function assertPublished(edition: Edition, lives: number): Promise<void> {
  const manifest = await manifestOf(edition, game);
  assert.deepEqual(
    (await rowsOf(edition, manifest)).map(({ row_number: number, price_american: price }) => [number, price]),
    prices.slice(0, lives).map((price, index) => [index + 1, price]),
  );
  const [board] = manifest.board.files;
  const selections = await getRows(edition, board!.url, 'board');
  assert.deepEqual(
    selections.map(({ price_american: price }) => price),
    [prices[lives - 1]],
  );
  const snapshot = (await getJson(edition, `/v1/games/${game}/plays/snapshot`)) as Record<string, unknown>;
  assert.deepEqual([snapshot.revision, snapshot.snapshot_row_count], [lives, lives]);
  assert.equal(snapshot.history_origin, 'captured');
  const { catalogs, objects } = edition.drivers;
  const report = new Report();
  const { artifacts, msf, msfHistory: history } = catalogs;
  const tools = { objects, parquet: parquetWriter, report, msf, history, artifacts };
  await verifyStreams(tools, null);
  await verifyServed(tools, (await catalogs.games.find(game))!);
  assert.deepEqual(report.violations, []);
}
