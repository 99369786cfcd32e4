// The MSF half of the world that Schemathesis tests: a game with so many plays that an archive was cut, its league's
// injuries, and where each route finds them.
import type { JsonObject } from '../../../core/json/value.ts';
import type { ArchivesDocument, ChangeListing, SnapshotManifest } from '../../../schemas/http/msf.ts';
import { bodyOf, gameObject, msfTeam, play } from '../builders/msf-bodies.ts';
import type { Edition } from '../editions/edition.ts';
import { appliedMsf, pushMsf } from '../editions/msf-client.ts';
import { getJson } from '../editions/published-game.ts';

type Path = Record<string, string>;
/** Paths; queries whose parameters belong together; paths that belong to queries. */
export type Known = { paths?: Path[]; cursors?: Path[]; together?: { path: Path; query: Path }[] };

const league = 'NBA';
const game_id = 'NBA_BOS_CLE_20260109';
const season = '2025-2026-regular';
/** Enough revisions for an archive. */
const revisions = 64;

/** Pushes the bodies and, once their data are served, answers where they are. */
export async function pushMsfWorld(edition: Edition): Promise<Record<string, Known>> {
  const key = await edition.feedKey(['msf']);
  const push = (feed: string, body: JsonObject) => pushMsf(edition, key, { league, season, feed }, body);
  const plays: JsonObject[] = [];
  const receipts: string[] = [];
  for (let second = 1; second <= revisions; second += 1) {
    plays.push(play({ quarter: 1, secondsElapsed: second }));
    receipts.push(await push('playbyplay', bodyOf({ game: gameObject(), plays: [...plays] })));
  }
  for (const injured of [1, 2]) receipts.push(await push('injuries', bodyOf({ players: injuries(injured) })));
  for (const receipt of receipts.slice(-3)) await appliedMsf(edition, key, receipt);
  return {
    ...(await knownOf(edition, '/v1/games/{game_id}', { game_id, dataset: 'plays' })),
    ...(await knownOf(edition, '/v1/leagues/{league}', { league, dataset: 'injuries' })),
    ...(await archivesOf(edition)),
  };
}

function injuries(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, id) => ({
    id: 71 + id,
    firstName: `F${id}`,
    lastName: `L${id}`,
    currentTeam: msfTeam(501, 'BOS'),
    currentInjury: { description: 'knee', playingProbability: 'OUT' },
  }));
}

/** What is known of the stream below `prefix`. */
async function knownOf(edition: Edition, prefix: string, path: Path): Promise<Record<string, Known>> {
  const below = `${prefix.replace('{game_id}', game_id).replace('{league}', league)}/${path.dataset}`;
  const { stream_epoch: epoch, revision, cursor } = (await getJson(edition, `${below}/snapshot`)) as SnapshotManifest;
  const first = cursor.replace(/\d+$/, '1');
  const { cursor: later } = (await getJson(edition, `${below}/changes?cursor=${first}&limit=1`)) as ChangeListing;
  const file = (number: number, kind: string) => ({ ...path, epoch, revision: String(number), kind, index: '0' });
  const files = [file(1, 'snapshot'), file(revision, 'snapshot'), file(revision, 'change')];
  const operation = `${prefix}/{dataset}`;
  return {
    [`${operation}/snapshot`]: {
      together: [
        { path, query: {} },
        { path, query: { at_revision: '1', epoch } },
        { path, query: { at_revision: String(revision), epoch } },
      ],
    },
    [`${operation}/changes`]: {
      together: [first, later, cursor].flatMap((at) => [
        { path, query: { cursor: at } },
        { path, query: { cursor: at, limit: '7', until_revision: String(revision) } },
      ]),
    },
    [`${operation}/revisions/{epoch}/{revision}/{kind}/{index}`]: {
      paths: files,
    },
    [`${operation}/revisions/{epoch}/{revision}/{kind}/rows`]: {
      paths: files.map(({ index: _, ...rows }) => rows),
    },
  };
}

/** Archives of a game are below the game and below its league. */
async function archivesOf(edition: Edition): Promise<Record<string, Known>> {
  const list = `/v1/leagues/${league}/plays/archives`;
  const { archives } = (await getJson(edition, list)) as ArchivesDocument;
  const archive_id = archives[0]?.archive_id ?? '';
  const known: Record<string, Known> = {
    '/v1/leagues/{league}/{dataset}/archives': {
      paths: [{ league, dataset: 'plays' }],
      cursors: [{ cursor: 'p0' }],
    },
  };
  for (const [prefix, of] of [
    ['/v1/games/{game_id}', { game_id }],
    ['/v1/leagues/{league}', { league }],
  ] as const) {
    const path = { ...of, dataset: 'plays', archive_id };
    known[`${prefix}/{dataset}/archives/{archive_id}`] = { paths: [path] };
    known[`${prefix}/{dataset}/archives/{archive_id}/changes/{revision}/{index}`] = {
      paths: ['1', '2', '64'].map((revision) => ({ ...path, revision, index: '0' })),
    };
  }
  return known;
}
