// `sds log grow` beside a running instance of the embedded edition: its log grows as Kafka's does, without a
// restart; the game of before and one of afterwards are served and replayed (docs/operations.md#adding-partitions).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { lockGames } from '../../../platform/postgres/resolve-games.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { openPlace } from '../../support/campaigns/place.ts';
import { Program } from '../../support/campaigns/program.ts';
import { databaseOf, waitingCommands } from '../../support/editions/command-at-lock.ts';
import { EmbeddedTool } from '../../support/editions/embedded-tool.ts';
import { manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { formerRelease, releaseSkip } from '../../support/processes/releases.ts';
import { type Ran, runSds } from '../../support/processes/sds.ts';
import { until } from '../../support/services/until.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** The last release that divided every key by the number of partitions that it found. */
const former = '0b61d55d';

const tool = new EmbeddedTool('log-grow');
const newDays = ['2026-02-01', '2026-02-05', '2026-02-09', '2026-02-13'];
const idOf = (day: string) => `NBA_BOS_CLE_${day.replaceAll('-', '')}`;
const counts = (partitions: number) => ({ [topics.quotes]: partitions, [topics.observations]: partitions });

/** Pushes an offer for a game on this day and waits until `rows` rows are served. */
async function offered(day: string, price: number, rows: number): Promise<void> {
  const teams = { home_team: 'Cleveland Cavaliers', away_team: 'Boston Celtics' };
  const game = { league: 'NBA', event_id: day, ...teams, commence_time: `${day}T20:00:00Z` };
  const quotes = [{ market: 'moneyline', selection: 'home', price: { american: price } }];
  const events = [{ kind: 'image', operator: 'draftkings', game, quotes }];
  assert.equal((await tool.push('feed', 'quotes', { events })).status, 202);
  const id = idOf(day);
  await until(`${rows} rows of ${id}`, async () => {
    const manifest = await manifestOf(tool.api, id).catch(() => null);
    return manifest !== null && (await rowsOf(tool.api, manifest)).length === rows;
  });
}

describe('adding partitions beside an instance', skipFor(outOfTurn()), () => {
  beforeAll(async () => {
    await tool.start();
    await offered('2026-01-10', 110, 1);
  });
  afterAll(() => tool.stop());

  it('shows what it would do and does nothing without --yes, nor what it cannot do', async () => {
    const plan = await tool.sds('log', 'grow', '--partitions', '7');
    assert.equal(plan.code, 3);
    assert.match(plan.err, /has 4 partitions, of which games use 4; .*both are to have 7.*add --yes/);
    for (const [code, args] of [
      [2, []],
      [2, ['--partitions', 'x', '--yes']],
      [2, ['--partitions', '7', '--wait', '0', '--yes']],
      [3, ['--partitions', '3', '--yes']],
    ] as const)
      assert.equal((await tool.sds('log', 'grow', ...args)).code, code, args.join(' '));
  });

  it('takes new games into new partitions while it runs, and says so once', async () => {
    const grown = await tool.sds('log', 'grow', '--partitions', '7', '--yes', '--json');
    assert.equal(grown.code, 0, grown.err);
    assert.deepEqual(JSON.parse(grown.out), { layout: 1, before: counts(4), partitions: counts(7), grown: true });
    const again = await tool.sds('log', 'grow', '--partitions', '7', '--yes', '--json');
    assert.deepEqual(JSON.parse(again.out), { layout: 1, before: counts(7), partitions: counts(7), grown: false });
    const audit = await tool.sds('audit', 'list', '--action', 'log grow', '--json');
    assert.equal((JSON.parse(audit.out) as { data: unknown[] }).data.length, 1, audit.out);
    await offered('2026-01-10', 120, 2);
    for (const day of newDays) await offered(day, 130, 1);
    const status = JSON.parse((await tool.sds('status', '--json')).out) as { lag: Record<string, unknown> };
    assert.equal(Object.keys(status.lag).filter((name) => name.startsWith('live/')).length, 7);
  });

  it('shows of each game in which partition of each topic its records are', async () => {
    const gamesIn = new Map<number, number>();
    for (const [day, of] of [['2026-01-10', 4], ...newDays.map((day) => [day, 7] as const)] as const) {
      const { partitions } = await tool.json('games', 'show', idOf(day));
      const [quotes, observations] = partitions as { topic: string; partition: number; of: number }[];
      assert.deepEqual(quotes, { topic: topics.quotes, partition: quotes?.partition, of });
      assert.deepEqual(observations, { ...quotes, topic: topics.observations });
      gamesIn.set(quotes.partition, (gamesIn.get(quotes.partition) ?? 0) + 1);
      const { out } = await tool.sds('games', 'show', idOf(day));
      assert.ok(out.includes(`\npartition ${quotes.partition} of the ${of} of sds.quotes.v1\n`), out);
      assert.ok(out.includes(`\npartition ${quotes.partition} of the ${of} of sds.observations.v1\n`), out);
    }
    for (const [partition, games] of gamesIn)
      assert.equal(
        (await tool.json('replay', '--partition', String(partition))).games,
        games,
        `partition ${partition}`,
      );
  });

  it('is refused where another command is faster', async () => {
    await using database = await databaseOf(tool);
    const grow = () => tool.sds('log', 'grow', '--partitions', '8', '--yes');
    // Both have read the newest layout, and neither can record its own.
    const both = await database.sql.transaction(async (tx) => {
      await lockGames(tx);
      const running = [grow(), grow()];
      await until('both wait to add the layout', async () => (await waitingCommands(tx)) === 2);
      return running;
    });
    const ran = await Promise.all(both);
    assert.deepEqual(ran.map(({ code }) => code).sort(), [0, 3]);
    assert.match(ran.map(({ err }) => err).join(''), /^sds: another sds log grow was faster: run this one again$/m);
    assert.equal((await grow()).code, 0);
  });

  it('is proven by a replay over all partitions', async () => {
    const ran = await tool.sds('replay', '--json');
    assert.equal(ran.code, 0, ran.err);
    const result = JSON.parse(ran.out) as { partitions: unknown[]; games: number; differences: unknown[] };
    assert.deepEqual([result.partitions.length, result.games, result.differences], [8, 5, []]);
  });
});

const beside = skipFor(outOfTurn() || releaseSkip(former));
describe('adding partitions beside a process of the release before layouts', beside, () => {
  it('is refused while it runs, and keeps it from starting again', async (t) => {
    const place = await openPlace('embedded');
    if (typeof place === 'string') return t.skip(place);
    const { environment } = place;
    const checkout = formerRelease(place.folder, former);
    const older = new Program('older', environment, { roles: ['ingest'], of: checkout });
    const grow = (): Promise<Ran> => runSds(environment, ['log', 'grow', '--partitions', '7', '--wait', '1', '--yes']);
    try {
      older.start();
      await older.untilReady();
      assert.ok(older.ready, JSON.stringify(older.ends));
      let refused: Ran = { code: null, signal: null, out: '', err: '' };
      await until('it has reported its health', async () => {
        refused = await runSds(environment, ['log', 'grow', '--partitions', '7']);
        return /older release/.test(refused.err);
      });
      assert.equal(refused.code, 3);
      assert.match(refused.err, /processes of an older release run \(ingest, heard of \d+ s ago\).*restart them with/);
      await older.kill();
      let grown = refused;
      await until('its last report is ten seconds old', async () => {
        grown = await grow();
        return grown.code !== 3;
      });
      assert.deepEqual([grown.code, /no projector has claimed live\/0/.test(grown.err)], [1, true], grown.err);
      const again = await runSds(environment, ['start', 'ingest'], { of: checkout });
      assert.equal(again.code, 3, again.err);
      assert.match(again.err, /0034_log_layouts, which this version does not know/);
    } finally {
      await older.kill();
      await place.close();
    }
  });
});
