// The odds of recorded evenings beside DuckDB, which reads the same board and segment files: every game at several stages, random instants of
// its log, and the final file. Two independent makers of one answer: a violation would need the same mistake in both.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { normalisePrice } from '../../../core/quotes/price.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { gameOdds, type OddsDocument } from '../../../schemas/http/odds.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { landFinals } from '../../support/builders/final-files.ts';
import { type PublishedFiles, publishLog } from '../../support/builders/published-log.ts';
import { type PureGame, PureService } from '../../support/folds/pure-service.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { type OddsRow, oddsColumns, oddsOfBoards, oddsOfLog } from '../../support/parquet/odds-sql.ts';
import { oddsEvenings, pollPushes } from '../../support/recordings/odds-evenings.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** The shares of the evening's polls after which boards are compared. */
const stages = [0.5, 1];
/** Instants of a game's log; `npm run proof` checks more than a thousand in the evening. */
const instantsOfGame = cases(40);

for (const evening of oddsEvenings) {
  describe(evening.name, skipFor(evening.absent), () => {
    const service = new PureService();
    const folder = mkdtempSync(join(tmpdir(), 'sds-odds-'));
    let api: TestApi;
    let pushed = 0;
    let version = 0;
    const random = randomOf(20_260_805);

    beforeAll(async () => {
      api = await startApi();
    });
    afterAll(async () => {
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function publish(share: number): Promise<Map<PureGame, PublishedFiles>> {
      const pushes = pollPushes(evening);
      for (; pushed < share * pushes.length; pushed += 1) service.push(pushes[pushed] as (typeof pushes)[number]);
      version += 1;
      const files = new Map<PureGame, PublishedFiles>();
      for (const game of service.games.values()) {
        const { uuid, publicId } = game.known;
        if (!api.catalog.games.some((known) => known.uuid === uuid))
          api.catalog.addGame({ uuid, gameId: publicId ?? uuid });
        files.set(game, await publishLog({ catalog: api.catalog, objects: api.objects, folder }, game, version));
      }
      return files;
    }

    async function odds(game: PureGame, query = ''): Promise<{ document: OddsDocument; rows: number }> {
      const reply = await api.get(`/v1/games/${game.known.publicId}/odds${query}`);
      assert.equal(reply.status, 200, reply.body.toString());
      const document = gameOdds.parse(reply.json());
      return { document, rows: Number(reply.headers['x-service-rowcount']) };
    }

    it('shows of every game what its board files say, at every stage', async () => {
      let quotes = 0;
      for (const share of stages) {
        for (const [game, { boards }] of await publish(share)) {
          const { document, rows } = await odds(game);
          const expected = boards.length === 0 ? [] : await oddsOfBoards(boards);
          assertSame(rowsOf(document, 0), expected, `${game.known.publicId} after ${share}`);
          assert.equal(rows, expected.length);
          assertAges(document, game);
          quotes += expected.length;
        }
      }
      assert.ok(quotes > 500, `only ${quotes} quotes were compared`);
    });

    it('shows at random instants what the segment files say, live and from the final file', async () => {
      let quotes = 0;
      for (const [game, { segments }] of await publish(1)) {
        const instants = instantsOf(game, random);
        const expected = Map.groupBy(await oddsOfLog(segments, [...instants, null]), ([number]) => Number(number));
        const compare = async (query: string, number: number) => {
          const { document, rows } = await odds(game, query);
          const wanted = expected.get(number) ?? [];
          assertSame(rowsOf(document, number), wanted, `${game.known.publicId}${query}`);
          assert.equal(rows, wanted.length);
          quotes += wanted.length;
          return document;
        };
        for (const [number, at] of instants.entries()) await compare(`?at=${formatMicros(at)}`, number);
        await landFinals({ objects: api.objects, artifacts: api.catalog }, finalGame(game), { lines: game.rows });
        for (const [number, at] of instants.entries()) {
          const { provisional, as_of } = await compare(`?at=${formatMicros(at)}`, number);
          assert.deepEqual([provisional, as_of], [false, formatMicros(at)]);
        }
        const { as_of } = await compare('', instants.length);
        assert.equal(as_of, formatMicros(Math.max(...game.rows.map(({ timestamp }) => timestamp))));
      }
      assert.ok(quotes > 500, `only ${quotes} quotes were compared`);
    });

    it('gives each price in every format as the columns have it', async () => {
      const [game] = service.games.values();
      const at = formatMicros((game as PureGame).rows[99]?.timestamp ?? 0);
      for (const format of ['american', 'decimal', 'fractional']) {
        const { document } = await odds(game as PureGame, `?at=${at}&format=${format}`);
        const shown = document.selections.flatMap(({ operators }) => operators);
        assert.ok(shown.length > 0);
        for (const { price, price_american, price_decimal } of shown) {
          const raw = { american: null, decimal: null, fractional: null, [format]: price?.replace('+', '') };
          const back = normalisePrice(raw);
          assert.ok(back !== null);
          if (format === 'american') assert.equal(back.american, price_american);
          else assert.equal(back.decimal, Number(price_decimal?.replace('.', '')));
        }
      }
    });
  });
}

/** An answer as rows of the query. */
function rowsOf({ selections }: OddsDocument, instant: number): OddsRow[] {
  return selections.flatMap(({ selection_id, line, best, hold, operators }) =>
    operators.map(
      (each): OddsRow => [
        ...[String(instant), selection_id, line, best?.operator ?? null, best?.price_decimal ?? null, hold],
        ...[each.operator, each.line, each.price_american === null ? null : String(each.price_american)],
        ...[each.price_decimal, each.implied_probability, each.hold],
        ...[String(each.is_open), each.quote_state, each.last_changed_at],
      ],
    ),
  );
}

function assertSame(ours: readonly OddsRow[], theirs: readonly OddsRow[], of: string): void {
  const named = (rows: readonly OddsRow[]) =>
    rows.map((row) => oddsColumns.map((name, at) => `${name} ${row[at]}`).join(', '));
  assert.deepEqual(named(ours), named(theirs), of);
}

function assertAges({ as_of, selections }: OddsDocument, { state }: PureGame): void {
  for (const { operator, age_seconds } of selections.flatMap(({ operators }) => operators)) {
    const through = state.operators.find(({ code }) => code === operator)?.watermark;
    const age = Math.floor(Date.parse(as_of ?? '') / 1_000 - (through ?? 0) / 1_000_000);
    assert.ok(age_seconds !== null && Math.abs(age_seconds - age) <= 1, `${operator}: ${age_seconds}, not ${age}`);
  }
}

/** Instants from just before the first row of a log to just after its last; some equal times of rows. */
function instantsOf({ rows }: PureGame, random: () => number): number[] {
  const times = rows.map(({ timestamp }) => timestamp);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return Array.from({ length: instantsOfGame }, (_, nth) =>
    nth % 3 === 0
      ? (times[Math.floor(random() * times.length)] as number)
      : first - 1 + Math.floor(random() * (last - first + 3)),
  );
}

function finalGame({ known }: PureGame): { uuid: string; gameId: string; league: string } {
  return { uuid: known.uuid, gameId: known.publicId ?? known.uuid, league: known.league };
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
