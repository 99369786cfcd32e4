// The audit trail (docs/operations.md#audit-trail), of every command of the tool's own table: one that changes an account, key, source,
// name, game or stream leaves one row for each order, under its own name; refused, unconfirmed or only reading it leaves none; and no row
// has a secret. A new command fails here until it is listed with its rows, or among those that change nothing of these.
import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { topics } from '../../../schemas/events/topics.ts';
import { toolCommands } from '../../support/book/sds-commands.ts';
import { bodyOf, gameObject, play } from '../../support/builders/msf-bodies.ts';
import { appliedMsf, pushMsf } from '../../support/editions/msf-client.ts';
import { manifestOf } from '../../support/editions/published-game.ts';
import { SettledTool } from '../../support/editions/settled-tool.ts';
import { type StagedGame, StagedGames } from '../../support/editions/staged-game.ts';
import { until } from '../../support/services/until.ts';

/** Commands that only read, or change no account, key, source, name, game or stream. */
const withoutRows: ReadonlySet<string> = new Set([
  ...['accounts show', 'accounts list', 'keys list', 'feed-keys list', 'sources list', 'teams aliases'],
  ...['games list', 'games show', 'games unresolved', 'games diff', 'dlq list', 'dlq show', 'dlq summary'],
  ...['status', 'usage', 'audit list', 'verify', 'schemas check'],
  // These run something: what they push, answer or ask is under a key.
  ...['start', 'mcp', 'proxy'],
  // These change the database as a whole, its copies, or the registry.
  ...['migrate', 'backup', 'restore', 'schemas register'],
  // Its --swap orders what `log rebuild` orders, and leaves the rows of that (ops/commands/log-rebuild.e2e).
  'replay',
  // Only the rows of the feed key that it mints and revokes (ops/commands/feed.e2e).
  'feed replay',
]);

type Facts = Record<string, unknown>;
type Row = { id: number; actor: string; action: string; subject: string; detail: Facts };
type Case = {
  args: readonly string[];
  /** What the rows say, the oldest first; `printed`: the result; `rows`: for details that only they have. */
  says: (printed: Facts, rows: readonly Row[]) => readonly (readonly [subject: unknown, detail: Facts])[];
};

const me = userInfo().username;
const tool = new SettledTool();
const games = new StagedGames();
const start = '2040-01-10T19:00:00.000000Z';
const msfGame = 'NBA_BOS_CLE_20260109';
const [quoted, misplaced, moved, settled] = [1, 2, 3, 4].map(() => games.next('NFL', start)) as [
  StagedGame,
  StagedGame,
  StagedGame,
  StagedGame,
];
const made = { account: '', key: '', feedKey: '' };
const secrets = new Set<string>();

/** By the name of the command, in the order in which they run. */
const cases: Readonly<Record<string, () => Case>> = {
  'accounts create': () => ({
    args: ['--name', 'Ann', '--tier', 'BETA'],
    says: ({ account_id: id }) => [[id, { name: 'Ann', tier: 'BETA' }]],
  }),
  'accounts set': () => ({
    args: [made.account, '--entitled', 'no', '--monthly-rows', '5'],
    says: () => [[made.account, { entitled: false, monthly_rows: 5 }]],
  }),
  'keys mint': () => ({
    args: ['--account', made.account],
    says: ({ key_id: id }) => [[id, { account: made.account }]],
  }),
  'keys suspend': () => ({ args: [made.key], says: () => [[made.key, { from: 'active', to: 'suspended' }]] }),
  'keys restore': () => ({ args: [made.key], says: () => [[made.key, { from: 'suspended', to: 'active' }]] }),
  'keys throttle': () => ({ args: [made.key], says: () => [[made.key, { from: 'active', to: 'throttled' }]] }),
  'keys revoke': () => ({ args: [made.key], says: () => [[made.key, { from: 'throttled', to: 'revoked' }]] }),
  'feed-keys mint': () => ({
    args: ['--source', 'a,b', '--scope', 'push,msf', '--leagues', 'nba', '--operators', 'DraftKings'],
    says: ({ feed_key_id: id }) => {
      const scopes = ['push', 'msf'];
      return [[id, { sources: ['a', 'b'], scopes, leagues: ['NBA'], operators: ['DRAFTKINGS'] }]];
    },
  }),
  'feed-keys revoke': () => ({ args: [made.feedKey], says: () => [[made.feedKey, {}]] }),
  'sources rank': () => ({ args: ['ranked', '-7'], says: () => [['ranked', { rank: -7, before: 0 }]] }),
  'sources assign': () => ({
    args: [quoted.id, 'x', moved.source],
    says: () => [[quoted.id, { operator: 'X', source: moved.source, before: quoted.source }]],
  }),
  'sources assign-msf': () => ({
    args: ['nba', 'another'],
    says: () => [['NBA', { source: 'another', before: 'recorded' }]],
  }),
  'teams alias': () => ({
    args: ['mlb', 'The Bombers', 'bos'],
    says: () => [['MLB BOS', { name: 'The Bombers', taken_from: 'NYY', minted: [], confirmed: null }]],
  }),
  'games status': () => ({
    args: [moved.id, 'cancelled'],
    says: () => [[moved.id, { from: 'SCHEDULED', to: 'CANCELLED' }]],
  }),
  'games unbind': () => ({
    args: [misplaced.source, `e${misplaced.number}`],
    says: () => [[misplaced.id, { source: misplaced.source, event_id: `e${misplaced.number}` }]],
  }),
  'games settle': () => ({
    args: [settled.id, '--score', '17-24'],
    says: () => [
      [settled.id, { away: 17, home: 24, away_periods: [], home_periods: [] }],
      [settled.id, { status: 'SCHEDULED' }],
    ],
  }),
  'games remove-rows': () => ({
    args: [settled.id, '--rows', '2', '--reason', 'a wrong price'],
    says: () => [[settled.id, { rows: [[2, 2]], reason: 'a wrong price' }]],
  }),
  'dlq replay': () => ({
    args: ['--source', 'unknown'],
    says: () => [['source unknown', { ids: null, code: null, source: 'unknown', letters: 1 }]],
  }),
  'dlq discard': () => ({
    args: ['--source', 'unwanted'],
    says: () => [['source unwanted', { ids: null, code: null, source: 'unwanted', letters: 1 }]],
  }),
  'epoch reset': () => ({
    args: ['--scope', msfGame, '--dataset', 'plays'],
    says: ({ replaced }, [row]) => [[`${msfGame} plays`, { id: row?.detail.id, epoch: replaced, observations: 1 }]],
  }),
  'log rebuild': () => ({ args: [quoted.id], says: () => [[quoted.id, { generation: 2, rows: 2 }]] }),
  'log grow': () => {
    const all = (partitions: number) => ({ [topics.quotes]: partitions, [topics.observations]: partitions });
    return { args: ['--partitions', '5'], says: () => [['layout 1', { before: all(4), after: all(5) }]] };
  },
};

/** The commands that do something, by their words: a group is none. */
function leavesOf(command: Command, before: readonly string[] = []): [string, Command][] {
  const words = [...before, command.name()];
  if (command.commands.length === 0) return [[words.join(' '), command]];
  return command.commands.flatMap((each) => leavesOf(each, words));
}
const commands = new Map([...(await toolCommands()).values()].flatMap((command) => leavesOf(command)));

/** The rows of this user's commands after the row `id`, the oldest first. */
async function rowsAfter(id: number): Promise<Row[]> {
  const { data } = await tool.json('audit', 'list', '--actor', me, '--limit', '10000');
  return (data as Row[]).filter((row) => row.id > id).toReversed();
}

/** The newest row that the cases before have left. */
let newest = 0;

describe('the audit trail', () => {
  beforeAll(async () => {
    await tool.start();
    const priceOf = (selection: string) => ({ market: 'moneyline', selection, price: { american: -110 } });
    for (const game of [quoted, misplaced, moved, settled])
      assert.deepEqual(await tool.quote(game, '2026-01-10T18:00:00Z', ['home', 'away'].map(priceOf)), []);
    for (const source of ['unknown', 'unwanted']) {
      const event = { kind: 'image', operator: 'X', game: { game_id: 'NHL_BOS_NYR_20260109' }, quotes: [] };
      assert.equal((await tool.push(source, 'quotes', { events: [event] })).status, 400);
    }
    const { ingest_url: ingestUrl, feed_key: key } = tool.ready;
    const target = { league: 'NBA', season: '2025-2026-regular', feed: 'playbyplay', game: 900001 };
    const body = bodyOf({ game: gameObject(), plays: [play({ quarter: 1, secondsElapsed: 1 })] });
    await appliedMsf({ ingestUrl }, key, await pushMsf({ ingestUrl }, key, target, body));
    await tool.json('teams', 'alias', 'MLB', 'The Bombers', 'NYY');
    for (const game of [quoted, settled])
      await until('the game is served', async () => {
        const manifest = await manifestOf(tool.api, game.id).catch(() => null);
        return manifest?.segments.reduce((sum, { rows }) => sum + rows, 0) === 2;
      });
    newest = (await rowsAfter(0)).at(-1)?.id ?? 0;
  });
  afterAll(() => tool.stop());

  it('is of every command, or the command is known to change nothing of what it is about', () => {
    assert.deepEqual([...commands.keys()].toSorted(), [...Object.keys(cases), ...withoutRows].toSorted());
  });

  for (const [name, caseOf] of Object.entries(cases))
    it(`has what sds ${name} did, by whom, and nothing of what it only planned`, async () => {
      const { args, says } = caseOf();
      const asked = [...name.split(' '), ...args];
      const asks = commands.get(name)?.options.some(({ long }) => long === '--yes') === true;
      if (asks) {
        const planned = await tool.sds(...asked);
        assert.deepEqual([planned.code, await rowsAfter(newest)], [3, []], planned.err);
      }
      const printed = await tool.json(...asked, ...(asks ? ['--yes'] : []));
      for (const secret of [printed.key, printed.feed_key]) if (typeof secret === 'string') secrets.add(secret);
      if (name === 'accounts create') made.account = String(printed.account_id);
      if (name === 'keys mint') made.key = String(printed.key_id);
      if (name === 'feed-keys mint') made.feedKey = String(printed.feed_key_id);
      const rows = await rowsAfter(newest);
      newest = rows.at(-1)?.id ?? newest;
      assert.deepEqual(
        rows.map(({ actor, action, subject, detail }) => ({ actor, action, subject, detail })),
        says(printed, rows).map(([subject, detail]) => ({ actor: me, action: name, subject, detail })),
      );
    });

  it('has nothing of a command that failed', async () => {
    for (const args of [
      ['accounts', 'set', 'nobody', '--tier', 'PRO'],
      ['keys', 'mint', '--account', 'nobody'],
      ['keys', 'restore', made.key, '--yes'],
      ['feed-keys', 'revoke', 'nobody', '--yes'],
      ['teams', 'alias', 'MLB', 'The Nobodies', 'XYZ'],
      ['games', 'unbind', misplaced.source, `e${misplaced.number}`, '--yes'],
    ])
      assert.equal((await tool.sds(...args)).code, 1, args.join(' '));
    assert.deepEqual(await rowsAfter(newest), []);
  });

  it('has no secret', async () => {
    const { data } = await tool.json('audit', 'list', '--limit', '10000');
    const text = JSON.stringify(data);
    assert.equal(secrets.size, 2);
    for (const secret of [...secrets, tool.ready.api_key, tool.ready.feed_key]) assert.ok(!text.includes(secret));
    assert.doesNotMatch(text, /svc_(live|feed)_/);
  });
});
