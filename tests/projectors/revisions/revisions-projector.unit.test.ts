// How a flush handles rare effects of observations: large states, receipts, dead letters, and streams that wait for a later time although a
// tick published nothing of them. projectors/revisions/revisions-projector.sim tests the usual ones at random.
import assert from 'node:assert/strict';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { gameUuid } from '../../../core/msf/ids.ts';
import { newScope, newStream } from '../../../core/msf/streams/scope-state.ts';
import type { CutRevision, StateRow } from '../../../core/msf/types.ts';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { FilePart } from '../../../core/ports/catalog/msf.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import type { WrittenFile } from '../../../core/ports/parquet.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { microsPerHour, microsPerSecond } from '../../../core/units.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { jsonParameter } from '../../../platform/postgres/values.ts';
import { revisionsProjector } from '../../../projectors/revisions/revisions-projector.ts';
import { planStream, publicationOf } from '../../../projectors/revisions/stream-plan.ts';
import { Partition } from '../../../projectors/worker/partition.ts';
import { Fenced, type PartitionTools } from '../../../projectors/worker/partition-tools.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import { gameObject, play } from '../../support/builders/msf-bodies.ts';
import { MemoryMsfCatalog } from '../../support/fakes/memory-msf-catalog.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { frameOf, observationRecord } from '../../support/folds/msf-log.ts';

const start = Date.UTC(2026, 0, 10, 1) * 1_000;
const game = gameUuid('NBA', 900_001);
const scope = { kind: 'game', uuid: game, id: 'NBA_BOS_CLE_20260109', league: 'NBA' } as const;

function delivered(offset: number, value: ObservationsRecord, at = start + offset * microsPerSecond): DeliveredRecord {
  const frame = { offset, timestamp: at, key: value.scope_uuid, headers: {}, undecodable: null };
  return { ...frame, value, bytes: Buffer.from(JSON.stringify(value)) };
}

/** A body with `plays` plays, requested at `asked` (by default the log time). */
function bodyAt(offset: number, plays: number, { played = 'LIVE', asked = start + offset * microsPerSecond } = {}) {
  const list = Array.from({ length: plays }, (_, second) => play({ quarter: 1, secondsElapsed: second }));
  const body = { game: gameObject({ playedStatus: played }), plays: list };
  const push = {
    feed: 'playbyplay',
    requested: asked,
    at: start + offset * microsPerSecond,
    observedAt: null,
    body,
  } as const;
  const record = observationRecord(scope, push, 900_001, body);
  return delivered(offset, { ...record, push: 'rcpt_1', push_index: offset });
}

function open(catalog: MemoryMsfCatalog, objects = openMemoryStore(() => 0), onStep = (): void => {}) {
  const tools: PartitionTools = {
    checkpoints: catalog,
    objects,
    parquet: parquetWriter,
    clock: { now: () => 0, sleep: async () => {} },
    crash: () => {},
    log: silentLog,
    ownerId: 'test',
    runTask: async (steps) => {
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
        onStep();
      }
    },
    flushEveryMs: 0,
    snapshotEvery: { records: 1_000, ms: 1e12 },
  };
  return Partition.open(revisionsProjector(catalog), tools, 3);
}

const batchOf = (records: readonly DeliveredRecord[]) => ({ topic: 't', partition: 3, records, highWatermark: 0 });

async function folded(...batches: DeliveredRecord[][]): Promise<MemoryMsfCatalog> {
  const catalog = new MemoryMsfCatalog();
  const partition = await open(catalog);
  for (const records of batches) await partition.handle(batchOf(records));
  return catalog;
}

describe('a revision', () => {
  it('has files of at most 64,000 rows each, and one where it has none', () => {
    const rows: StateRow[] = Array.from({ length: 130_000 }, (_, index) => ({
      row: { league: 'NBA', n: index },
      line: '',
    }));
    const stream = { ...newStream('injuries', 'E'), head: 2, digest: 'd' };
    const facts = { dataset: 'injuries', epoch: 'E', changeRows: 0, snapshotRows: 0, snapshotDigest: 'd' };
    const cut = (revision: number, change: number) =>
      ({
        ...facts,
        revision,
        change: rows.slice(0, change).map((each) => ({ ...each, op: 'upsert' })),
        snapshot: rows,
      }) as unknown as CutRevision;
    const state = newScope({ kind: 'league', uuid: game, id: 'NBA', league: 'NBA' });
    const plan = planStream(state, stream, { revisions: [cut(1, 130_000), cut(2, 0)], archives: [] }, null);
    const of = (part: string) =>
      plan.files.filter(({ name }) => name.startsWith(`revisions/${game}/injuries/E/${part}`));
    const counts = (part: string) => of(part).map(({ rows: each }) => each.length);
    assert.deepEqual(counts('1/change'), [64_000, 64_000, 2_000]);
    assert.deepEqual(counts('1/snapshot'), [64_000, 64_000, 2_000]);
    assert.deepEqual(counts('2/change'), [0]);
    assert.equal(of('1/snapshot')[1]?.rows[0]?.n, 64_000);
    assert.deepEqual(
      ['1/change', '1/snapshot', '2/change', '2/snapshot'].map((part) => of(part)[0]?.form),
      ['kept', 'kept', 'kept', 'shared'],
    );
    const metadata = Object.fromEntries(of('2/snapshot')[0]!.metadata);
    assert.deepEqual(
      [metadata['sds.dataset'], metadata['sds.file'], metadata['sds.stream_epoch'], metadata['sds.revision']],
      ['injuries', 'snapshot', 'E', '2'],
    );
    assert.deepEqual(
      [metadata['sds.digest'], metadata['sds.league'], metadata['sds.game_id']],
      ['d', 'NBA', undefined],
    );
    const place = (name: string, index: number): [string, WrittenFile] => [
      name,
      { ref: { key: 'k' as ObjectKey, offset: index, size: 1, sha256: '' }, rows: index },
    ];
    const written = new Map(plan.files.map(({ name }, index) => place(name, index)));
    const [first] = publicationOf(plan, null, written).revisions;
    assert.deepEqual(
      first?.changeFiles.map(({ rows: count }) => count),
      [0, 1, 2],
      'in their order',
    );
  });
});

it('a status with U+0000 is in a record, and so in an archive, what the catalog makes of it', async () => {
  const { revisions } = (await folded([bodyAt(0, 1, { played: 'LI\0VE' })])).streams.get(`plays ${game}`)!;
  assert.equal(revisions[0]?.sourceObservation.source_played_status, 'LI\ufffdVE');
  assert.deepEqual(JSON.parse(jsonParameter(revisions)), revisions);
});

describe('a game that is minted', () => {
  it('is called in files and archives what it was called when they were cut, wherever the flush fell', async () => {
    const unminted = Array.from({ length: 65 }, (_, index) => {
      const { offset, value } = bodyAt(index, index + 1);
      return delivered(offset, { ...(value as ObservationsRecord), scope_id: game });
    });
    const minting = bodyAt(65, 66);
    const published = async (...batches: DeliveredRecord[][]) => {
      const { revisions, archives } = (await folded(...batches)).streams.get(`plays ${game}`)!;
      const hashes = (files: readonly FilePart[]) => files.map(({ file }) => file.sha256);
      return {
        revisions: revisions.map(({ epoch, revision, changeFiles }) => [epoch, revision, ...hashes(changeFiles)]),
        archives: archives.map(({ id, scopeId, document, baseline }) => [id, scopeId, document, ...hashes(baseline)]),
      };
    };
    const atOnce = await published([...unminted, minting]);
    assert.deepEqual(atOnce, await published(unminted, [minting]));
    assert.deepEqual(atOnce, await published(unminted.slice(0, 64), [unminted[64]!, minting]));
    assert.deepEqual(
      atOnce.archives.map(([id, scopeId]) => [id?.slice(26), scopeId]),
      [
        ['-1-64', game],
        ['-65-65', scope.id],
      ],
    );
  });
});

describe('a receipt', () => {
  it('lists what cut revisions, what was late and what was refused, and nothing else', async () => {
    const bad = bodyAt(4, 1);
    const value = bad.value as ObservationsRecord;
    const broken = { ...value, observation: { ...value.observation!, element: '{"plays":{}}' } };
    const catalog = await folded([
      bodyAt(0, 1),
      bodyAt(1, 1),
      bodyAt(2, 2),
      bodyAt(3, 9, { asked: start - 5 * microsPerSecond }),
      delivered(4, broken),
    ]);
    const [fold] = catalog.receipts;
    assert.deepEqual([fold?.applied, fold?.refused, fold?.duplicates], [[0, 1, 2], [3, 4], []]);
    const revisions = (dataset: string) => catalog.streams.get(`${dataset} ${game}`)!.current.epoch;
    assert.deepEqual(fold?.records, [
      {
        index: 0,
        state: 'applied',
        game_id: scope.id,
        seq: null,
        rows: null,
        revisions: [
          { dataset: 'game-state', epoch: revisions('game-state'), revision: 1 },
          { dataset: 'plays', epoch: revisions('plays'), revision: 1 },
        ],
        refusals: [],
      },
      {
        index: 2,
        state: 'applied',
        game_id: scope.id,
        seq: null,
        rows: null,
        revisions: [
          { dataset: 'game-state', epoch: revisions('game-state'), revision: 2 },
          { dataset: 'plays', epoch: revisions('plays'), revision: 2 },
        ],
        refusals: [],
      },
      {
        index: 3,
        state: 'refused',
        game_id: scope.id,
        seq: null,
        rows: null,
        revisions: [],
        refusals: [{ code: 'late-observation', pointer: '' }],
      },
      {
        index: 4,
        state: 'refused',
        game_id: scope.id,
        seq: null,
        rows: null,
        revisions: [],
        refusals: [{ code: 'bad-body', pointer: '/plays' }],
      },
    ]);
    assert.deepEqual(
      catalog.deadLetters.map(({ topic, partition, offset, code, pointer, gameUuid: of, receipt, payload }) => [
        [topic, partition, offset, code, pointer, of, receipt],
        JSON.parse(Buffer.from(payload).toString('utf8')),
      ]),
      [[['sds.observations.v1', 3, 4, 'bad-body', '/plays', game, 'rcpt_1'], broken]],
      'what is late is no dead letter',
    );
  });

  it('counts injuries of a scope that is none by their index', async () => {
    const value = bodyAt(0, 1).value as ObservationsRecord;
    for (const uuid of ['', 'no uuid', '-']) {
      const injuries = { ...value, scope_uuid: uuid, observation: { ...value.observation!, feed: 'injuries' } };
      const catalog = await folded([delivered(0, injuries)]);
      assert.deepEqual(catalog.receipts[0]?.refused, [0], `not a number that no database takes: ${uuid}`);
    }
  });
});

describe('a move of a status that is not legal', () => {
  it('is a dead letter beside what the observation says else', async () => {
    const catalog = await folded([bodyAt(0, 1, { played: 'COMPLETED' }), bodyAt(1, 2, { played: 'LIVE' })]);
    assert.deepEqual(
      catalog.deadLetters.map(({ code, offset }) => [code, offset]),
      [['illegal-status-move', 1]],
    );
    assert.equal(catalog.streams.get(`plays ${game}`)?.current.head, 2);
    assert.deepEqual(
      catalog.moves.map(({ status }) => status),
      ['COMPLETED'],
    );
    assert.deepEqual(
      catalog.receipts.flatMap(({ applied }) => applied),
      [0, 1],
    );
  });
});

describe('a tick', () => {
  it('has its stream wait for another time, also where nothing else comes of it', async () => {
    const growing = Array.from({ length: 64 }, (_, index) =>
      bodyAt(index, index + 1, { played: index === 63 ? 'COMPLETED' : 'LIVE' }),
    );
    const at = start + 63 * microsPerSecond + 24 * microsPerHour;
    const tick = delivered(64, { ...frameOf(scope), source: '', tick: { at } }, at);
    const catalog = await folded(growing);
    const plays = () => catalog.streams.get(`plays ${game}`)!;
    assert.deepEqual(
      plays().archives.map(({ first, last }) => [first, last]),
      [[1, 64]],
      'nothing is left to archive',
    );
    assert.equal(plays().current.ticksFrom, at);
    const later = await folded(growing, [tick]);
    const { current, archives } = later.streams.get(`plays ${game}`)!;
    assert.equal(archives.length, 1);
    assert.equal(current.ticksFrom, at + 30 * 24 * microsPerHour);
  });

  it('begins no scope that no record has named', async () => {
    const catalog = await folded([delivered(0, { ...frameOf(scope), source: '', tick: { at: start } })]);
    assert.deepEqual([catalog.streams.size, catalog.deadLetters.length, catalog.nextOffset], [0, 0, 1]);
  });
});

describe('an owner', () => {
  it('is fenced that learns what is published when another has gone on, and archives nothing of it', async () => {
    const records = [bodyAt(0, 1), bodyAt(1, 2, { played: 'COMPLETED' }), bodyAt(2, 2, { played: 'COMPLETED' })];
    const catalog = await folded(records.slice(0, 1));
    const former = await open(catalog);
    await (await open(catalog)).handle(batchOf([...records, bodyAt(3, 3), bodyAt(4, 4)]));
    const { nextOffset } = catalog;
    await assert.rejects(former.handle(batchOf(records)), Fenced);
    assert.equal(catalog.nextOffset, nextOffset);
  });

  it('has nothing else of the process wait for a long batch, neither when it is new nor when it is folded again', async () => {
    const catalog = new MemoryMsfCatalog();
    const records = Array.from({ length: 200 }, (_, offset) => bodyAt(offset, 1 + (offset % 3)));
    for (const _ of ['new', 'again']) {
      let steps = 0;
      const onStep = (): void => {
        steps += 1;
      };
      const objects = openMemoryStore(() => 0);
      const partition = await open(catalog, objects, onStep);
      await partition.handle(batchOf(records));
      assert.ok(steps >= records.length, `${steps} steps`);
    }
  });

  it('passes over a snapshot in which a scope is another, though the digest that is kept beside the scope is not', async () => {
    const [catalog, objects] = [new MemoryMsfCatalog(), openMemoryStore(() => 0)];
    const partition = await open(catalog, objects);
    await partition.handle(batchOf([bodyAt(0, 3)]));
    await partition.close();
    const key = catalog.snapshot?.key as string;
    const bytes = (await objects.get(key)) as Uint8Array;
    const saved = JSON.parse(zstdDecompressSync(bytes).toString()) as { scopes: { packed: string }[] };
    for (const each of saved.scopes) {
      const text = zstdDecompressSync(Buffer.from(each.packed, 'base64')).toString();
      assert.ok(text.includes('BOS'));
      each.packed = zstdCompressSync(text.replaceAll('BOS', 'BOX')).toString('base64');
    }
    await objects.delete([key]);
    await objects.put(key, zstdCompressSync(JSON.stringify(saved)));
    const { foldDigest } = catalog;
    const next = await open(catalog, objects);
    assert.equal(next.readFrom, 0);
    await next.handle(batchOf([bodyAt(0, 3)]));
    assert.deepEqual([catalog.foldDigest, catalog.halted, catalog.snapshot?.older], [foldDigest, null, []]);
    assert.equal((await open(catalog, objects)).readFrom, 1);
  });
});
