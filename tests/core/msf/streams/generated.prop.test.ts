// Claims, over generated games of all leagues — growing, corrected, late, repeated, disagreeing, broken: whatever comes, the gateway's reader and
// the fold take it; what is late changes no state; a state saved and loaded after any record gives the same revisions; and a client that holds
// only change rows has, after each revision, the published digest. A violation would need a diff that forgets a row, an order that lets an
// older body through, or a checkpoint that leaves something out.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { CutRevision, MsfFeed } from '../../../../core/msf/types.ts';
import { runToEnd } from '../../../../core/scheduling/task.ts';
import { parseJsonElement } from '../../../../ingest/adapters/json-body.ts';
import { adaptMsfBody } from '../../../../ingest/adapters/msf-body.ts';
import { datasetNamed } from '../../../../schemas/datasets/registry.ts';
import type { League } from '../../../../schemas/reference/leagues.ts';
import { type GeneratedKind, type GeneratedMsf, generateMsf } from '../../../oracle/generate-msf.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { type Folded, PureMsf } from '../../../support/folds/msf-log.ts';

const numRuns = cases(60);
const seeds = fc.nat(0x7fff_ffff);

/** Splits a push as the gateway does and folds it, without its refusals. */
function take(msf: PureMsf, push: GeneratedMsf): Folded[] {
  const route = { league: push.league as League, feed: push.feed as MsfFeed, game: push.game };
  const { elements } = runToEnd(adaptMsfBody(Buffer.from(push.text), route));
  const body = parseJsonElement(Buffer.from(push.text));
  if (elements.length === 0 || body.kind === 'malformed') return [];
  const requested = push.requestedAt === null ? null : push.requestedAt * 1_000;
  return msf.push({ ...route, requested, at: push.receivedAt * 1_000, body: body.value }).folded;
}

/** Checks the rows of a client that begins with the first revision and applies each later one. */
function followed(cuts: readonly CutRevision[]): void {
  const lines = new Map<string, string>();
  for (const [index, cut] of cuts.entries()) {
    assert.equal(cut.revision, index + 1);
    const { primaryKey } = datasetNamed(cut.dataset);
    const keyOf = (row: Readonly<Record<string, unknown>>): string =>
      JSON.stringify(primaryKey.map((name) => row[name]));
    if (cut.kind === 'replace') lines.clear();
    for (const { op, row, line } of cut.change) {
      if (cut.kind !== 'patch') assert.ok(op === 'upsert' && !lines.has(keyOf(row)), `${cut.dataset} ${cut.revision}`);
      if (op === 'delete') assert.ok(lines.get(keyOf(row)) === line && lines.delete(keyOf(row)));
      else lines.set(keyOf(row), line);
    }
    assert.equal(lines.size, cut.snapshotRows);
    const order = (key: string): Buffer => Buffer.from((JSON.parse(key) as string[]).join('\0'));
    const sorted = [...lines].sort(([a], [b]) => Buffer.compare(order(a), order(b)));
    const digest = createHash('sha256')
      .update(sorted.map(([, line]) => `${line}\n`).join(''))
      .digest('hex');
    assert.equal(digest, cut.snapshotDigest, `${cut.dataset} ${cut.revision}`);
  }
}

describe('generated games', () => {
  it('are the same for the same seed, and contain everything that feeds do', () => {
    assert.deepEqual(generateMsf(7), generateMsf(7));
    const kinds = new Set<GeneratedKind>();
    const leagues = new Set<string>();
    const feeds = new Set<string>();
    for (let seed = 0; seed < 60; seed += 1) {
      for (const push of generateMsf(seed)) {
        kinds.add(push.kind);
        leagues.add(push.league);
        feeds.add(push.feed);
      }
    }
    assert.deepEqual([kinds.size, leagues.size, feeds.size], [15, 5, 7], [...kinds].join());
  });

  it('are folded whatever they hold, and each revision equals the one before with its change', () => {
    let revisions = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const msf = new PureMsf();
        for (const push of generateMsf(seed)) take(msf, push);
        for (const cuts of msf.revisions.values()) {
          followed(cuts);
          revisions += cuts.length;
        }
      }),
      { numRuns },
    );
    assert.ok(revisions > numRuns, `${revisions}`);
  });

  it('a late observation changes nothing, and a broken body is refused whole', () => {
    let late = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const msf = new PureMsf();
        for (const push of generateMsf(seed)) {
          for (const { effects } of take(msf, push)) {
            const result = effects.outcome?.result;
            assert.ok(
              result !== undefined && result !== 'refused',
              `${push.feed}: ${JSON.stringify(effects.refusals)}`,
            );
            if (result !== 'late') continue;
            late += 1;
            assert.deepEqual(effects.revisions, []);
          }
          if (push.kind === 'text') assert.deepEqual(take(new PureMsf(), push), []);
        }
      }),
      { numRuns },
    );
    assert.ok(late > numRuns / 4, `${late}`);
  });

  it('cut the same revisions when the state is saved and loaded after every record', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [plain, saved] = [new PureMsf(), new PureMsf({ checkpoints: true })];
        for (const push of generateMsf(seed)) {
          take(plain, push);
          take(saved, push);
        }
        assert.deepEqual(saved.revisions, plain.revisions);
      }),
      { numRuns },
    );
  });
});
