// Recorded games played back as if they were live, through the gateway of a whole service, and followed from outside by the client in
// Python, which proves every revision. The result is that of folding the bodies one by one, however flushes combined them, in either
// edition. `npm test` takes one of the two tests; `npm run proof` takes both, and grows the games by fewer plays at a time.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { easternDate } from '../../../core/time/eastern-date.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { changeFileName } from '../../../schemas/datasets/change-file.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { appliedMsf, pushMsf, readInPython } from '../../support/editions/msf-client.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { msfRecordingsAbsent } from '../../support/recordings/msf-recordings.ts';
import { season, seasonScore } from '../../support/recordings/msf-season.ts';
import { type PlayedBack, playedBack } from '../../support/recordings/played-back.ts';
import { services } from '../../support/services/services.ts';
import { caseOutOfTurn, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const python = await services.python();
const inFull = process.env.SDS_CAMPAIGN !== undefined;

/** How many plays are added at a time: by seven, a game gets at least one archive. */
function stepOf(name: string): number {
  if (inFull) return /BOS-CLE|HOU-GSW/.test(name) ? 1 : 7;
  return name.includes('BOS-CLE') ? 7 : 50;
}

type Listing = {
  revisions: { revision: number; files: { url: string }[]; row_count: number }[];
  high_water_revision: number;
};
type Manifest = {
  revision: number;
  stream_epoch: string;
  files: { url: string }[];
  freshness: Record<string, string | null>;
  status: string;
  snapshot_digest: string;
};
type Row = Readonly<Record<string, unknown>>;

async function rowsAt(edition: Edition, urls: readonly { url: string }[], dataset: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { url } of urls) {
    const response = await fetch(edition.apiUrl + url, { headers: { authorization: `Bearer ${edition.apiKey}` } });
    assert.equal(response.status, 200, url);
    rows.push(...parquetWriter.decode(dataset as 'plays', new Uint8Array(await response.arrayBuffer())));
  }
  return rows;
}

const shown = ({
  revision,
  revision_kind,
  row_count,
  snapshot_row_count,
  snapshot_digest,
}: Awaited<ReturnType<typeof readInPython>>[number]) => ({
  revision,
  revision_kind,
  row_count,
  snapshot_row_count,
  snapshot_digest,
});

for (const [name, skip, prepare] of sampledEditions()) {
  // One edition flushes at once after each push; in the other, pushes come before the late flush.
  const flushEveryMs = name === 'embedded' ? 0 : 150;
  describe(`recorded games, ${name}`, skipFor(msfRecordingsAbsent || outOfTurn() || skip || python.skip), () => {
    it('give the revisions that their bodies cut, each proven from outside', skipFor(caseOutOfTurn(0, 2)), async () => {
      const own = await prepare();
      const edition = await startEdition({ ...own, flushEveryMs });
      try {
        const key = await edition.feedKey(['msf']);
        const games = playedBack(stepOf);
        assert.equal(games.length, 14);
        const lanes = [0, 1, 2].map(async (lane) => {
          for (const game of games.filter((_, index) => index % 3 === lane)) {
            await pushGame(edition, key, game, name === 'embedded');
            await proveGame(edition, game);
          }
        });
        await Promise.all([...lanes, followLive(edition, games[0]!)]);
      } finally {
        await edition.stop();
        await own.drop();
      }
    });

    it(
      'are a season of 1,230 games: listed once, verified once, and then only fresh',
      skipFor(caseOutOfTurn(1, 2)),
      async () => {
        const own = await prepare();
        const edition = await startEdition({ ...own, flushEveryMs });
        try {
          await pushSeason(edition, await edition.feedKey(['msf']));
        } finally {
          await edition.stop();
          await own.drop();
        }
      },
    );
  });
}

/** Follows the game while it is still being pushed. */
async function followLive(edition: Edition, game: PlayedBack): Promise<void> {
  const { path } = python.skip === false ? python : assert.fail('no Python');
  for (;;) {
    const response = await fetch(`${edition.apiUrl}/v1/games/${game.gameId}/plays/snapshot`, {
      headers: { authorization: `Bearer ${edition.apiKey}` },
    });
    await response.arrayBuffer();
    if (response.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const proven = await readInPython(path, edition, game.gameId, 'plays', '--until', String(game.plays.length));
  assert.equal(proven.at(-1)?.revision, game.plays.length);
}

async function pushGame(edition: Edition, key: string, game: PlayedBack, waits: boolean): Promise<void> {
  const target = { league: game.league, season: 'current', feed: 'playbyplay', game: game.msfGameId };
  const receipts: string[] = [];
  for (const body of game.bodies) {
    const receipt = await pushMsf(edition, key, target, body);
    if (waits) await appliedMsf(edition, key, receipt);
    else receipts.push(receipt);
  }
  for (const receipt of receipts) {
    const { counts } = await appliedMsf(edition, key, receipt);
    assert.deepEqual([counts.applied, counts.refused], [counts.accepted, 0]);
  }
}

async function proveGame(edition: Edition, game: PlayedBack): Promise<void> {
  const { path } = python.skip === false ? python : assert.fail('no Python');
  const proven = await readInPython(path, edition, game.gameId, 'plays', '--at', '1', '--limit', '7');
  const expected = game.plays.map((cut) => ({
    revision: cut.revision,
    revision_kind: cut.kind,
    row_count: cut.changeRows,
    snapshot_row_count: cut.snapshotRows,
    snapshot_digest: cut.snapshotDigest,
  }));
  const [first, ...changes] = proven;
  assert.deepEqual(shown(first!), { ...expected[0], row_count: expected[0]?.snapshot_row_count }, game.name);
  assert.deepEqual(changes.map(shown), expected.slice(1), game.name);
  const middle = Math.ceil(expected.length / 2);
  const alone = await readInPython(path, edition, game.gameId, 'plays', '--at', String(middle), '--alone');
  assert.deepEqual(
    alone.map(({ revision, snapshot_digest }) => [revision, snapshot_digest]),
    [[middle, expected[middle - 1]?.snapshot_digest]],
  );
  await provePlays(edition, game);
  if (game.plays.length >= 64) await proveArchives(path, edition, game, expected);
  const state = await readInPython(path, edition, game.gameId, 'game-state', '--at', '1');
  assert.ok(state.length > 3, game.name);
}

/**
 * Asserts that the last state has the body's plays in order, with its points, and that the inserted play changed only
 * rows of its own second.
 */
async function provePlays(edition: Edition, game: PlayedBack): Promise<void> {
  const manifest = (await getJson(edition, `/v1/games/${game.gameId}/plays/snapshot`)) as Manifest;
  const rows = await rowsAt(edition, manifest.files, 'plays');
  rows.sort((a, b) => Number(a.sequence) - Number(b.sequence));
  assert.deepEqual(
    rows.map(({ description }) => description),
    game.whole.plays.map(({ description }) => description ?? ''),
    game.name,
  );
  const [state] = await rowsAt(
    edition,
    ((await getJson(edition, `/v1/games/${game.gameId}/game-state/snapshot`)) as Manifest).files,
    'game-state',
  );
  const sum = (team: unknown): number =>
    rows.filter(({ team_id }) => team_id === team).reduce((points, row) => points + Number(row.points ?? 0), 0);
  const scores = [state?.away_score, state?.home_score];
  assert.deepEqual([sum(state?.away_team_id), sum(state?.home_team_id)], scores, game.name);
  assert.deepEqual(scores, finalScore(game), game.name);
  const revision = revisionOfBody(game, game.inserted.at);
  const listing = (await getJson(
    edition,
    `/v1/games/${game.gameId}/plays/changes?cursor=${await cursorBefore(edition, game, manifest.stream_epoch, revision)}&limit=1`,
  )) as Listing;
  assert.equal(listing.revisions[0]?.revision, revision);
  const changed = await rowsAt(edition, listing.revisions[0]?.files ?? [], changeFileName('plays'));
  assert.ok(changed.length > 0 && changed.some(({ description }) => description === 'A play that was forgotten'));
  const { period, second } = game.inserted;
  const ofSecond = changed.filter((row) => row.period === period && row.clock_seconds_elapsed === second);
  assert.equal(ofSecond.length, changed.length, `${game.name}: rows of other seconds`);
}

/** The revision of a body: each body before the inserted play cuts one. */
function revisionOfBody(game: PlayedBack, at: number): number {
  assert.equal(game.plays[at]?.kind, 'patch');
  return at + 1;
}

async function cursorBefore(edition: Edition, game: PlayedBack, epoch: string, revision: number): Promise<string> {
  const at = `at_revision=${revision - 1}&epoch=${epoch}`;
  const { cursor } = (await getJson(edition, `/v1/games/${game.gameId}/plays/snapshot?${at}`)) as { cursor: string };
  return encodeURIComponent(cursor);
}

async function proveArchives(
  path: string,
  edition: Edition,
  game: PlayedBack,
  expected: readonly object[],
): Promise<void> {
  const replayed = await readInPython(path, edition, game.gameId, 'plays', '--archives');
  assert.ok(replayed.length >= 64 && replayed.every(({ archive }) => archive !== undefined));
  const changes = replayed.filter(({ proves }) => proves === 'archive').map(shown);
  assert.deepEqual(
    changes,
    expected.filter((each) => changes.some((one) => one.revision === (each as { revision: number }).revision)),
  );
}

/** The final score, away and home, from the season's schedule; that of the single football game is given here. */
function finalScore({ league, msfGameId }: PlayedBack): [number, number] {
  return league === 'NFL' ? [20, 27] : seasonScore(msfGameId);
}

async function pushSeason(edition: Edition, key: string): Promise<void> {
  const body = season();
  const target = { league: 'NBA', season: '2017-2018-regular', feed: 'games' };
  const take = async (lastUpdatedOn: string): Promise<void> => {
    const receipt = await pushMsf(edition, key, target, { ...body, lastUpdatedOn });
    const { counts } = await appliedMsf(edition, key, receipt);
    assert.deepEqual([counts.accepted, counts.applied, counts.refused], [1_230, 1_230, 0]);
  };
  await take(body.lastUpdatedOn);
  const { data } = (await getJson(edition, '/v1/games?league=NBA&limit=10000')) as {
    data: { id: string; game_date: string; status: string; home_team_abbreviation: string }[];
  };
  assert.equal(data.length, 1_230);
  const dates = body.games.map(({ schedule }) => easternDate(parseRfc3339(schedule.startTime) ?? 0));
  assert.deepEqual(data.map(({ game_date }) => game_date).sort(), dates.sort());
  assert.deepEqual([...new Set(data.map(({ status }) => status))], ['COMPLETED']);
  const ids = data.map(({ id }) => id);
  const first = await statesOf(edition, ids);
  assert.ok([...first.values()].every(({ revision, status }) => revision === 1 && status === 'provisional'));
  await take('2019-02-25T00:00:00.000Z');
  const second = await statesOf(edition, ids);
  for (const [id, state] of second) {
    assert.deepEqual([state.revision, state.status], [2, 'verified'], id);
    assert.equal(state.snapshot_digest, first.get(id)?.snapshot_digest);
  }
  await take('2019-02-26T00:00:00.000Z');
  const third = await statesOf(edition, ids);
  for (const [id, state] of third) {
    assert.deepEqual([state.revision, state.stream_epoch], [2, second.get(id)?.stream_epoch]);
    assert.equal(state.freshness.newest_applied_source_updated_at, '2019-02-26T00:00:00.000000Z');
    assert.notEqual(state.freshness.latest_request_started_at, second.get(id)?.freshness.latest_request_started_at);
  }
  const { path } = python.skip === false ? python : assert.fail('no Python');
  for (const id of [ids[0]!, ids[615]!, ids[1_229]!]) {
    const proven = await readInPython(path, edition, id, 'game-state', '--at', '1');
    assert.deepEqual(
      proven.map(({ revision_kind, row_count, status }) => [revision_kind, row_count, status]),
      [
        ['replace', 1, 'provisional'],
        ['patch', 0, 'verified'],
      ],
    );
  }
}

async function statesOf(edition: Edition, ids: readonly string[]): Promise<Map<string, Manifest>> {
  const states = new Map<string, Manifest>();
  for (const id of ids) states.set(id, (await getJson(edition, `/v1/games/${id}/game-state/snapshot`)) as Manifest);
  return states;
}
