// The administrator's commands on MSF streams beside a running instance: `sds verify` finds exactly the damage, `sds epoch reset` may be
// killed anywhere and repeated, and of two at once one is refused (docs/revisions.md#epochs; docs/operations.md#the-sds-tool).
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { bodyOf, gameObject, play } from '../../support/builders/msf-bodies.ts';
import { EmbeddedTool } from '../../support/editions/embedded-tool.ts';
import { appliedMsf, pushMsf } from '../../support/editions/msf-client.ts';
import type { Ran } from '../../support/processes/sds.ts';

const tool = new EmbeddedTool('msf-operations');
const game = 'NBA_BOS_CLE_20260109';
const pushes = 6;
const flushes = join(tool.environment.SDS_DATA_DIR, 'objects', 'flushes', 'revisions');

const sds = (args: readonly string[]): Promise<Ran> => tool.sds(...args);

describe('operating MSF streams', () => {
  beforeAll(async () => {
    await tool.start();
    const { ingest_url: ingestUrl, feed_key: key } = tool.ready;
    for (let count = 1; count <= pushes; count += 1) {
      const plays = Array.from({ length: count * 3 }, (_, second) => play({ quarter: 1, secondsElapsed: second }));
      const target = { league: 'NBA', season: '2025-2026-regular', feed: 'playbyplay', game: 900001 };
      const body = bodyOf({ game: gameObject(), plays });
      const receipt = await pushMsf({ ingestUrl }, key, target, body);
      await appliedMsf({ ingestUrl }, key, receipt);
    }
  });
  afterAll(() => tool.stop());

  async function snapshot(): Promise<Record<string, unknown>> {
    const response = await tool.read(`/v1/games/${game}/plays/snapshot`);
    assert.equal(response.status, 200);
    return (await response.json()) as Record<string, unknown>;
  }

  type Verified = { checked: Record<string, number>; violations: { invariant: string; subject: string }[] };
  async function verified(code: number, ...args: string[]): Promise<Verified> {
    const ran = await sds(['verify', ...args, '--json']);
    assert.equal(ran.code, code, ran.err);
    return JSON.parse(ran.out) as Verified;
  }

  it('proves every stream, and says so in one screen', async () => {
    const { checked, violations } = await verified(0, game);
    assert.deepEqual(violations, []);
    assert.deepEqual(
      [checked.streams, checked.revisions],
      [2, 2 * pushes],
      'the plays grow, and the clock of the state moves',
    );
    assert.match((await sds(['verify'])).out, /^everything: 2 streams, .*\neverything holds\n$/);
    assert.equal((await sds(['verify', 'NBA_NO_SUCH_20260101'])).code, 1);
  });

  const reset = ['epoch', 'reset', '--dataset', 'plays', '--scope', game, '--json'];

  it('resets nothing without --yes, nor what is not there', async () => {
    const before = await snapshot();
    const ran = await sds(reset);
    assert.equal(ran.code, 3);
    assert.match(ran.err, /6 kept observations.*nothing was done/);
    assert.equal((await sds([...reset.slice(0, 3), 'injuries', '--scope', game, '--yes'])).code, 1);
    assert.equal((await sds([...reset.slice(0, 3), 'weather', '--scope', game, '--yes'])).code, 2);
    assert.equal((await snapshot()).stream_epoch, before.stream_epoch);
  });

  it('resets to the same state, whatever killed the resets before', async () => {
    const before = await snapshot();
    for (const point of ['reset:begun', 'reset:before-end']) {
      const ran = await tool.sdsOnceFree([...reset, '--yes'], { SDS_CRASH_AT: point });
      assert.equal(ran.signal, 'SIGKILL', point);
      assert.equal((await snapshot()).stream_epoch, before.stream_epoch, `${point}: readers see nothing of it`);
    }
    const done = await tool.sdsOnceFree([...reset, '--yes']);
    assert.equal(done.code, 0, done.err);
    const facts = JSON.parse(done.out) as Record<string, unknown>;
    assert.deepEqual([facts.observations, facts.gaps], [pushes, []]);
    const after = await snapshot();
    assert.equal(after.stream_epoch, facts.epoch);
    assert.notEqual(after.stream_epoch, before.stream_epoch);
    assert.equal(after.history_origin, 'reconstructed');
    for (const name of ['revision', 'snapshot_digest', 'snapshot_row_count'])
      assert.equal(after[name], before[name], name);
    const old = await tool.read(`/v1/games/${game}/plays/changes?cursor=${before.cursor}`);
    assert.equal(old.status, 410);
    assert.match(((await old.json()) as { type: string }).type, /stream-reset$/);
    assert.deepEqual((await verified(0, game)).violations, []);
  });

  it('refuses one of two resets at once', async () => {
    const answers = await Promise.all([sds([...reset, '--yes']), sds([...reset, '--yes'])]);
    const codes = answers.map(({ code }) => code).sort();
    assert.ok(codes.includes(0), JSON.stringify(answers));
    assert.deepEqual(
      codes.filter((code) => code !== 0 && code !== 3),
      [],
      JSON.stringify(answers),
    );
    // If the second came after the first was done, it planned with the first one's epoch.
    const done = answers.filter(({ code }) => code === 0).map(({ out }) => JSON.parse(out) as Record<string, unknown>);
    const replaced = new Set(done.map((facts) => facts.replaced));
    assert.equal(replaced.size, done.length, JSON.stringify(answers));
    const last = done.find(({ epoch }) => !replaced.has(epoch));
    assert.equal((await snapshot()).stream_epoch, last?.epoch, JSON.stringify(answers));
    assert.deepEqual((await verified(0, game)).violations, []);
  });

  it('resets every stream of a league, or of some datasets, with one plan, audit rows and progress', async () => {
    type Facts = { scope: string; dataset: string; replaced: string; epoch: string; observations: number };
    const streamsOf = (ran: Ran) => (JSON.parse(ran.out) as { streams: Facts[] }).streams;
    const before = await snapshot();
    const planned = await sds(['epoch', 'reset', '--league', 'nba']);
    assert.equal(planned.code, 3, JSON.stringify(planned));
    const names = `${game} game-state, ${game} plays`;
    const plan = `the epochs of 2 streams of 1 scope end \\(${names}\\); new ones are rebuilt from ${pushes} kept`;
    assert.match(planned.err, new RegExp(`${plan}.*nothing was done: add --yes`));

    const ran = await sds(['epoch', 'reset', '--league', 'NBA', '--json', '--yes']);
    assert.equal(ran.code, 0, JSON.stringify(ran));
    const all = streamsOf(ran);
    assert.deepEqual(
      all.map(({ scope, dataset, observations }) => [scope, dataset, observations]),
      ['game-state', 'plays'].map((dataset) => [game, dataset, pushes]),
    );
    assert.match(
      ran.err,
      new RegExp(`^1 of 2 streams, [\\d.]+ observations/s, \\d+ s left: ${game} game-state, epoch`, 'm'),
    );
    const after = await snapshot();
    assert.equal(after.stream_epoch, all[1]?.epoch);
    assert.equal(after.snapshot_digest, before.snapshot_digest);

    const one = streamsOf(await sds(['epoch', 'reset', '--dataset', 'plays', 'injuries', '--json', '--yes']));
    assert.deepEqual([one.length, one[0]?.dataset, one[0]?.replaced], [1, 'plays', after.stream_epoch]);
    const audited = await sds(['audit', 'list', '--action', 'epoch reset', '--subject', `${game} plays`, '--json']);
    const { data } = JSON.parse(audited.out) as { data: { detail: { epoch: string } }[] };
    assert.equal(data[0]?.detail.epoch, after.stream_epoch);
    assert.deepEqual((await verified(0, game)).violations, []);
  });

  it('is interrupted between two streams, and goes on when it is run again', async () => {
    const streams = ['epoch', 'reset', '--scope', game, '--json', '--yes'];
    const ran = await tool.sdsWith({}, streams, {
      begun: (child) => {
        child.stderr?.on('data', (text: Buffer) => {
          if (/^1 of 2 streams/m.test(String(text))) child.kill('SIGINT');
        });
      },
    });
    assert.equal(ran.code, 1, JSON.stringify(ran));
    assert.match(ran.err, /interrupted.*; \d of 2 streams are reset/);
    const again = await sds(streams);
    assert.equal(again.code, 0, JSON.stringify(again));
    assert.deepEqual((await verified(0, game)).violations, []);
  });

  it('resets exactly the streams that it names', async () => {
    const why = [
      [['--yes'], 2, /name streams: by --scope or --league, by --dataset, or by both/],
      [['--league', 'XFL', '--yes'], 2, /no league XFL/],
      [['--league', 'NFL', '--yes'], 1, /NFL has no stream\n$/],
      [['--scope', game, '--dataset', 'injuries', '--yes'], 1, new RegExp(`${game} has no stream of injuries`)],
      [['--scope', game, '--league', 'NBA', '--yes'], 2, /cannot be used with option/],
    ] as const;
    for (const [args, code, line] of why) {
      const ran = await sds(['epoch', 'reset', ...args]);
      assert.deepEqual([ran.code, line.test(ran.err)], [code, true], JSON.stringify(ran));
    }
  });

  it('is refused before anything is done while no projector runs, with the remedy', async () => {
    await tool.kill();
    const ran = await sds([...reset, '--yes']);
    assert.equal(ran.code, 3, JSON.stringify(ran));
    assert.match(ran.err, /no projector is running, .*: start the service, and reset again/);
    await tool.start();
    assert.deepEqual((await verified(0, game)).violations, []);
  });

  it('finds a byte that is another in the snapshot of an earlier revision', async () => {
    const { stream_epoch: epoch } = await snapshot();
    const response = await tool.read(`/v1/games/${game}/plays/revisions/${epoch}/3/snapshot/0`);
    const served = Buffer.from(await response.arrayBuffer());
    const objects = readdirSync(flushes, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const path = objects
      .map((each) => join(each.parentPath, each.name))
      .find((each) => readFileSync(each).includes(served));
    assert.ok(path !== undefined);
    const whole = readFileSync(path);
    const damaged = Buffer.from(whole);
    const at = whole.indexOf(served) + served.length - 1;
    damaged[at] = (damaged[at] as number) ^ 1;
    rmSync(path);
    writeFileSync(path, damaged);
    const { violations } = await verified(1, game);
    assert.deepEqual(
      violations.map(({ invariant, subject }) => [invariant, subject]),
      [['I4', `${game} plays ${epoch} revision 3, its snapshot, snapshot file 0`]],
    );
    writeFileSync(path, whole);
  });

  it('finds a byte that is another, and the object that is cut off or gone', async () => {
    const files = readdirSync(flushes, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const [first] = files;
    assert.ok(first);
    const path = join(first.parentPath, first.name);
    const whole = readFileSync(path);
    const damaged = Buffer.from(whole);
    damaged[10] = (damaged[10] as number) ^ 1;
    rmSync(path);
    writeFileSync(path, damaged);
    const changed = await verified(1, game);
    assert.deepEqual(new Set(changed.violations.map(({ invariant }) => invariant)), new Set(['I4']));
    writeFileSync(path, whole.subarray(0, 10));
    const short = await verified(1, game);
    assert.deepEqual(new Set(short.violations.map(({ invariant }) => invariant)), new Set(['I7']));
    rmSync(path);
    const gone = await verified(1, game);
    assert.deepEqual(new Set(gone.violations.map(({ invariant }) => invariant)), new Set(['I7']));
    writeFileSync(path, whole);
    assert.deepEqual((await verified(0, game)).violations, []);
  });
});
