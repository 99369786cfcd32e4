// Claim: whatever fails between a partition's observations and what is published — puts, gets, commits, answers to commits, the process at any
// crash point, an owner that comes back from the dead — what is published is what one fold of the log cuts: the same revisions with the same
// rows, archives that replay to them, moves, letters and receipts once each; and that is what the naive oracle finds in the same records (I12,
// I14, I15, I18, I19, I21). A violation would need a commit that is not all of its flush, a state that survived its fence, or a fold that minds how its records are batched, saved or loaded.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { it } from 'vitest';
import { heldElementKey, plainElementKey } from '../../../core/msf/bodies/held-element.ts';
import { RebuiltState } from '../../../core/msf/published/rebuild.ts';
import { receiptPlace } from '../../../core/msf/receipt-place.ts';
import type { CutRevision } from '../../../core/msf/types.ts';
import type { FilePart } from '../../../core/ports/catalog/msf.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { revisionsProjector } from '../../../projectors/revisions/revisions-projector.ts';
import { changeFileName } from '../../../schemas/datasets/change-file.ts';
import { datasetNamed } from '../../../schemas/datasets/registry.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { type LoggedRecord, msfLogs, recordsOf } from '../../support/arbitraries/msf.ts';
import { heldText } from '../../support/builders/held-element.ts';
import { generatedRecords } from '../../support/builders/msf-generated-log.ts';
import { driveFaulty, type Met as Faults } from '../../support/fakes/faulty-partition.ts';
import { MemoryMsfCatalog, type MemoryStream } from '../../support/fakes/memory-msf-catalog.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { assertAsNaive, foldOnce, type LoggedObservation } from '../../support/folds/msf-folded-log.ts';

const firstSeed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));
const runs = cases(240);

type Met = Faults & Record<'revisions' | 'archives' | 'epochs' | 'resets' | 'duplicates' | 'ofOracle', number>;

it(`publishes what one fold of the log cuts, whatever fails (seeds ${firstSeed} … ${firstSeed + runs - 1})`, async () => {
  const met: Met = {
    crashes: 0,
    fenced: 0,
    outages: 0,
    damaged: 0,
    revisions: 0,
    archives: 0,
    epochs: 0,
    resets: 0,
    duplicates: 0,
    ofOracle: 0,
  };
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) await simulate(seed, met);
  assert.ok(
    Object.values(met).every((count) => count > 0),
    `every kind of fault and of effect was met: ${JSON.stringify(met)}`,
  );
});

async function simulate(seed: number, met: Met): Promise<void> {
  const random = seededRandom(seed);
  const store = openMemoryStore(() => 0);
  const kind = random.pick(kinds);
  const records = await logOf(seed, kind, random, store);
  const catalog = new MemoryMsfCatalog();
  await driveFaulty({ seed, random, projector: () => revisionsProjector(catalog), catalog, store, records, met });
  const folded = await compare(seed, catalog, store, records, met);
  if (kind === 'resets') met.resets += 1;
  else {
    assertAsNaive(`seed ${seed}`, records, folded);
    met.ofOracle += [...folded.revisions.values()].reduce((sum, cuts) => sum + cuts.length, 0);
  }
}

/**
 * What logs have besides observations and ticks: resets, which the oracle does not know, or whole games with everything
 * that goes wrong in them.
 */
const kinds = ['resets', 'ticks', 'games'] as const;

/**
 * Some games and two leagues in turn, with elements stored as objects and values that are no records; resets may or may
 * not end.
 */
async function logOf(
  seed: number,
  kind: (typeof kinds)[number],
  random: Random,
  store: ObjectStore,
): Promise<LoggedObservation[]> {
  const sketches = fc.sample(msfLogs(60), { seed, numRuns: 2 });
  const lanes = sketches.map((sketch, lane) => {
    if (kind === 'games') return generatedRecords(2 * seed + lane, lane);
    const lone = recordsOf({ ...sketch, league: lane === 0 ? 'NBA' : 'NHL' });
    return kind === 'resets' ? withReset(lone, random) : lone;
  });
  const merged: LoggedRecord[] = [];
  while (lanes.some((lane) => lane.length > 0)) merged.push(...random.pick(lanes).splice(0, 1 + random.integer(4)));
  // The broker's times never go back.
  let latest = 0;
  const log: LoggedObservation[] = [];
  /** A record that is logged twice has one place in its push: that of its first copy. */
  const places = new Map<string, number>();
  for (const { record, at } of merged) {
    latest = Math.max(latest, at);
    const dice = random.integer(20);
    const name = `${record.scope_uuid} ${record.push ?? log.length}`;
    const place = places.get(name) ?? log.length;
    places.set(name, place);
    let value: ObservationsRecord = { ...record, push: 'rcpt_1', push_index: place };
    if (dice < 3 && value.observation?.element != null) {
      const text = Buffer.from(value.observation.element);
      const sha256 = createHash('sha256').update(text).digest('hex');
      value = { ...value, observation: { ...value.observation, element: null, held: { sha256, size: text.length } } };
      // Objects as this release stores them, as earlier ones did, or none.
      if (dice === 1) await store.put(heldElementKey(sha256), zstdCompressSync(text));
      if (dice === 2) await store.put(plainElementKey(sha256), text);
    }
    log.push({
      offset: log.length,
      timestamp: latest,
      key: dice === 4 ? 'another' : value.scope_uuid,
      headers: {},
      value: dice === 5 ? null : value,
      bytes: Buffer.from(JSON.stringify(value)),
      undecodable: dice === 5 ? 'planned' : null,
      object: null,
    });
  }
  for (const logged of log) {
    const held = (logged.value as ObservationsRecord | null)?.observation?.held;
    if (held != null) logged.object = await heldText(store, held);
  }
  return log;
}

/** Repeats all earlier observations of the game in a reset, which may be interrupted. */
function withReset(log: LoggedRecord[], random: Random): LoggedRecord[] {
  const until = random.integer(log.length + 1);
  const known = log.slice(0, until).filter(({ record }) => record.scope_id !== record.league);
  const last = known.at(-1);
  if (last === undefined) return log;
  const id = `reset-${random.integer(1_000)}`;
  const dataset = random.pick(['plays', 'game-state', 'player-stats']);
  const phase = (name: string): LoggedRecord => ({
    ...last,
    record: {
      ...last.record,
      source: '',
      received_at: null,
      observation: null,
      tick: null,
      reset: { id, dataset, phase: name, gaps: [] },
    },
  });
  const again = known.flatMap((each) => {
    const { observation } = each.record;
    return observation === null
      ? []
      : [{ ...each, record: { ...each.record, observation: { ...observation, rebuild: id } } }];
  });
  const tail = log.slice(until);
  const between = tail.splice(0, random.integer(4));
  return [
    ...log.slice(0, until),
    phase('begin'),
    ...again,
    ...between,
    ...(random.chance(0.7) ? [phase('end')] : []),
    ...tail,
  ];
}

async function compare(
  seed: number,
  catalog: MemoryMsfCatalog,
  store: ObjectStore,
  records: readonly LoggedObservation[],
  met: Met,
): Promise<ReturnType<typeof foldOnce>> {
  const folded = foldOnce(records);
  assert.deepEqual([...catalog.streams.keys()].sort(), [...folded.revisions.keys()].sort(), `seed ${seed}: streams`);
  for (const [name, stream] of catalog.streams) {
    const cuts = folded.revisions.get(name) ?? [];
    assert.equal(stream.current.epoch, folded.current.get(name), `seed ${seed}: epoch of ${name}`);
    await compareRevisions(`seed ${seed}: ${name}`, stream, cuts, store);
    assert.deepEqual(
      stream.archives.map(({ scopeId, dataset, epoch, first, last }) => ({ scopeId, dataset, epoch, first, last })),
      folded.archives.get(name) ?? [],
    );
    for (const archive of stream.archives) await replay(stream, archive, store);
    met.revisions += stream.revisions.length;
    met.archives += stream.archives.length;
    met.epochs += stream.replaced.length;
  }
  assert.deepEqual(catalog.moves, folded.moves, `seed ${seed}: moves`);
  assert.deepEqual(
    catalog.deadLetters.map(({ offset, code }) => [offset, code]),
    folded.letters,
    `seed ${seed}: letters`,
  );
  const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
  const placeOf = (offset: number) => {
    const { scope_uuid: uuid, league, push_index: index, observation } = records[offset]!.value as ObservationsRecord;
    return receiptPlace(index!, observation?.feed ?? null, { uuid, league });
  };
  const became = (...results: string[]) =>
    sorted([...folded.results].flatMap(([offset, { result }]) => (results.includes(result) ? [placeOf(offset)] : [])));
  assert.deepEqual(
    sorted(catalog.receipts.flatMap(({ applied }) => applied)),
    became('applied', 'same'),
    `seed ${seed}: applied`,
  );
  assert.deepEqual(
    sorted(catalog.receipts.flatMap(({ refused }) => refused)),
    became('late', 'refused'),
    `seed ${seed}: refused`,
  );
  const duplicates = catalog.receipts.flatMap((each) => each.duplicates);
  assert.deepEqual(sorted(duplicates), became('duplicate'), `seed ${seed}: duplicates`);
  met.duplicates += duplicates.length;
  const inReceipts = catalog.receipts.flatMap(({ records: each }) => each.flatMap(({ revisions }) => revisions ?? []));
  const ofObservations = [...catalog.streams.values()].flatMap(({ revisions }) => revisions);
  assert.ok(inReceipts.length <= ofObservations.length);
  return folded;
}

async function compareRevisions(
  what: string,
  { current, revisions }: MemoryStream,
  cuts: readonly CutRevision[],
  store: ObjectStore,
): Promise<void> {
  assert.equal(revisions.length, cuts.length, what);
  for (const [index, { changeFiles, snapshotFiles, ...facts }] of revisions.entries()) {
    const { change, snapshot, scopeId: _scopeId, ...cut } = cuts[index]!;
    assert.deepEqual(facts, cut, what);
    const changed = change.map(({ row, op }) => ({ ...row, _op: op }));
    assert.deepEqual(await rowsOf(store, changeFileName(cut.dataset), changeFiles), changed, what);
    // A reset that ended before its epoch was published has no state to compare.
    if (snapshotFiles.length === 0) assert.ok(cut.epoch !== current.epoch || cut.revision < current.deletedBelow, what);
    else
      assert.deepEqual(
        await rowsOf(store, cut.dataset, snapshotFiles),
        snapshot.map(({ row }) => row),
        what,
      );
  }
}

/** The state that a reader of the archive alone reaches. */
async function replay(
  stream: MemoryStream,
  archive: MemoryStream['archives'][number],
  store: ObjectStore,
): Promise<void> {
  const { dataset, epoch } = archive;
  const state = new RebuiltState(datasetNamed(dataset), await rowsOf(store, dataset, archive.baseline));
  const document = JSON.parse(archive.document);
  for (const [index, { revision, files }] of archive.changes.entries()) {
    const facts = stream.revisions.find((each) => each.epoch === epoch && each.revision === revision)!;
    if (index > 0) assert.deepEqual(state.apply(facts.kind, await rowsOf(store, changeFileName(dataset), files)), []);
    assert.deepEqual([state.digest, state.rowCount], [facts.snapshotDigest, facts.snapshotRows]);
    assert.equal(document.revisions[index].snapshot_digest, facts.snapshotDigest);
    assert.deepEqual(
      document.revisions[index].files.map(({ sha256 }: { sha256: string }) => sha256),
      files.map(({ file }) => file.sha256),
    );
  }
}

async function rowsOf(store: ObjectStore, dataset: string, files: readonly FilePart[]): Promise<ParquetRow[]> {
  const rows: ParquetRow[] = [];
  for (const { rows: count, file } of files) {
    const bytes = (await store.get(file.key, { offset: file.offset, length: file.size }))!;
    const decoded = parquetWriter.decode(dataset, bytes);
    assert.equal(decoded.length, count);
    rows.push(...decoded);
  }
  return rows;
}
