// v) What a revision of one changed row costs in CPU when the state has 5,000 rows, from the parsed element to the
// encoded files of its change and snapshot. The baseline is one bare encoding of those rows. JSON.parse of the element
// is printed apart; the log, the catalog and the object store are left out.
import type { JsonObject } from '../../core/json/value.ts';
import type { DatasetState, MsfDataset, MsfFeed } from '../../core/msf/types.ts';
import { fileMetadata } from '../../core/parquet/file-metadata.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { HeldScopes } from '../../projectors/revisions/held-scopes.ts';
import { RevisionsProjector } from '../../projectors/revisions/revisions-projector.ts';
import { type Bench, type Run, short } from './bench.ts';
import { noCatalog, partitionAlone } from './flushed-partition.ts';
import { boxscore, playByPlay, playsOfGame } from './msf-bodies.ts';
import { elementText, ObservedGame } from './observed-game.ts';
import { Taken } from './taken.ts';

const target = 2;
const rowsOfState = 5_000;
const statisticsOfPlayer = 100;

type Case = {
  dataset: MsfDataset;
  feed: MsfFeed;
  rounds: number;
  /** An element of `rows` rows. */
  begin(rows: number): JsonObject;
  /** Changes one row of the element, another one in each turn. */
  change(element: JsonObject, turn: number): void;
};

export const revisionCost: Bench = {
  letter: 'v',
  title: 'a revision of one changed row beside an encoding of its state',
  async run(run) {
    for (const each of cases) await measure(run, each);
  },
};

const cases: readonly Case[] = [
  {
    dataset: 'player-stats',
    feed: 'boxscore',
    rounds: 600,
    begin: (rows) => boxscore(0, rows / statisticsOfPlayer, statisticsOfPlayer, 1),
    change(element, turn) {
      const { away, home } = (element as unknown as Boxscore).stats;
      const players = [...away.players, ...home.players];
      const passing = players[(turn * 7) % players.length]?.playerStats[0]?.passing;
      if (passing !== undefined) passing.passingYards = 1_000 + turn;
    },
  },
  {
    dataset: 'plays',
    feed: 'playbyplay',
    rounds: 80,
    begin: (rows) => playByPlay(0, playsOfGame(rows, 1), 'LIVE'),
    change(element, turn) {
      const { plays } = element as unknown as PlayByPlay;
      const status = plays[(turn * 997) % plays.length]?.playStatus;
      if (status !== undefined) status.awayPlayersOnCourt = [{ player: { id: 9_000 }, location: turn }];
    },
  },
];

type Boxscore = {
  stats: Record<'away' | 'home', { players: { playerStats: { passing: { [stat: string]: number } }[] }[] }>;
};
type PlayByPlay = { plays: { playStatus: { awayPlayersOnCourt: unknown } }[] };

async function measure(run: Run, it: Case): Promise<void> {
  const { dataset } = it;
  const rows = run.toy ? 2 * statisticsOfPlayer : rowsOfState;
  const rounds = run.toy ? 3 : it.rounds;
  run.say(`${dataset}, ${rows} rows`);
  const stream = new ChangingStream(it, rows);
  const warmUp = await stream.play(Math.ceil(rounds / 5));
  const { bare, parse, fold, flush } = await stream.play(rounds);
  const changed = warmUp.rounds + rounds;
  if (stream.state.length !== rows || stream.head !== 1 + changed)
    throw new Error(`${stream.head} revisions of ${changed} changes`);
  const mean = ({ cpuMs }: Taken) => cpuMs / rounds;
  const folded = mean(fold) - mean(parse);
  const ratio = (folded + mean(flush)) / mean(bare);
  const met = ratio <= target;
  run.figure({
    what: `${dataset}, one of ${rows} rows: ${(folded + mean(flush)).toFixed(2)} ms ÷ encoding ${mean(bare).toFixed(2)} ms = ${ratio.toFixed(2)}`,
    target: `≤ ${target}`,
    met,
  });
  run.note([
    `folded in ${folded.toFixed(2)} ms, planned and encoded in ${mean(flush).toFixed(2)} ms; JSON.parse of ${short(stream.elementLength)} bytes ${mean(parse).toFixed(2)} ms; means of ${rounds}`,
    `the encoder takes ${((1e3 * mean(bare)) / rows).toFixed(2)} µs a row, and 1.7 µs are expected: 6,000 rows in 10 ms`,
  ]);
  if (met || run.toy) return;
  await run.explain(async (window) => {
    window.begin();
    await stream.play(rounds);
    window.end();
  });
}

/** One stream whose feed repeats the same element, with one row changed each time. */
class ChangingStream {
  readonly #case: Case;
  readonly #game: ObservedGame;
  readonly #element: JsonObject;
  readonly #scopes = new HeldScopes();
  readonly #partition = partitionAlone(new RevisionsProjector(noCatalog, 0, this.#scopes));
  #turn = 0;

  constructor(it: Case, rows: number) {
    this.#case = it;
    this.#game = new ObservedGame(0, it.feed === 'boxscore' ? 'NFL' : 'NBA');
    this.#element = it.begin(rows);
  }

  async play(rounds: number) {
    const { dataset, feed, change } = this.#case;
    const metadata = fileMetadata({ dataset, schemaVersion: 'v1', file: 'snapshot', gameId: this.#game.scope.id });
    const taken = { rounds, bare: new Taken(), parse: new Taken(), fold: new Taken(), flush: new Taken() };
    const partition = await this.#partition;
    if (this.#turn === 0) {
      partition.fold([this.#game.observe(feed, this.#element)]);
      await partition.flush();
    }
    for (let round = 0; round < rounds; round += 1) {
      this.#turn += 1;
      change(this.#element, this.#turn);
      const record = this.#game.observe(feed, this.#element);
      const text = elementText(record);
      const rows = this.state.map(({ row }) => row);
      await taken.parse.by(() => JSON.parse(text));
      await taken.bare.by(() => parquetWriter.encode(dataset, rows, metadata));
      await taken.fold.by(() => partition.fold([record]));
      await taken.flush.by(() => partition.flush());
    }
    return taken;
  }

  get elementLength(): number {
    return JSON.stringify(this.#element).length;
  }

  get state(): DatasetState {
    return this.#stream?.state ?? [];
  }

  get head(): number {
    return this.#stream?.head ?? 0;
  }

  get #stream() {
    return this.#scopes.look(this.#game.scope.uuid)?.streams.get(this.#case.dataset);
  }
}
