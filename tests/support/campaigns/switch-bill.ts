// Compares what the readers of a switch received with their bills (docs/metering.md#what-a-read-costs): each row of
// live segments once, all rows of a final file at each read. A request without an answer may have been charged, so the
// bill may exceed the rows by those requests, and by no more.
import assert from 'node:assert/strict';

export type UsageItem = { kind: string; game_id: string; dataset: string; reads: number; rows: number };
export type Usage = { used_rows: number; items: UsageItem[] };

/** `seq`: the live segment's number. */
export type Metered = { account: string; game: string; dataset: string; seq: number | null };

export type BillFigures = { billed: number; files: number; segments: number; unanswered: number; refused: number };

type Tally = { segments: Map<number, number>; files: number; debited: number; unanswered: number };

export class SwitchBill {
  readonly violations: string[] = [];
  refused = 0;
  readonly #tallies = new Map<string, Tally>();

  answered(metered: Metered, rows: number, debited: number): void {
    const tally = this.#of(metered);
    tally.debited += debited;
    if (metered.seq !== null) tally.segments.set(metered.seq, Math.max(rows, tally.segments.get(metered.seq) ?? 0));
    else {
      tally.files += 1;
      if (debited !== rows) this.violations.push(`${keyOf(metered)}: ${debited} debited for a file of ${rows} rows`);
    }
  }

  /** Notes a read without an answer, which may have been charged or not. */
  unanswered(metered: Metered): void {
    this.#of(metered).unanswered += 1;
  }

  #of(metered: Metered): Tally {
    const key = keyOf(metered);
    const tally = this.#tallies.get(key) ?? { segments: new Map(), files: 0, debited: 0, unanswered: 0 };
    this.#tallies.set(key, tally);
    return tally;
  }

  /** Compares all answers with the bills. `rowsOf`: the rows of a final file, which are also those of the live log. */
  compare(
    accounts: readonly { id: string; monthlyRows: number | null; usage: Usage }[],
    rowsOf: (game: string, dataset: string) => number,
  ): BillFigures {
    assert.deepEqual(this.violations, [], 'what was debited');
    const figures: BillFigures = { billed: 0, files: 0, segments: 0, unanswered: 0, refused: this.refused };
    const billed = new Map<string, UsageItem>();
    for (const { id, monthlyRows, usage } of accounts) {
      assert.equal(
        usage.items.reduce((sum, { rows }) => sum + rows, 0),
        usage.used_rows,
        `the items of ${id} add up`,
      );
      assert.ok(monthlyRows === null || usage.used_rows <= monthlyRows, `${id} used no more than its quota`);
      for (const item of usage.items) {
        const seq = item.kind === 'live' ? 0 : null;
        billed.set(keyOf({ account: id, game: item.game_id, dataset: item.dataset, seq }), item);
      }
      figures.billed += usage.used_rows;
    }
    for (const key of billed.keys()) assert.ok(this.#tallies.has(key), `${key} is billed but was never read`);
    for (const [key, tally] of this.#tallies) {
      const [, game = '', dataset = '', kind] = key.split(' ');
      const { rows = 0, reads = 0 } = billed.get(key) ?? {};
      const most = rowsOf(game, dataset);
      figures.unanswered += tally.unanswered;
      if (kind === 'live') {
        const distinct = [...tally.segments.values()].reduce((sum, each) => sum + each, 0);
        assert.ok(
          distinct <= rows && rows <= (tally.unanswered > 0 ? most : distinct),
          `${key}: ${distinct} rows read, ${rows} billed`,
        );
        if (tally.unanswered === 0) assert.equal(tally.debited, rows, `${key}: debited and billed`);
        figures.segments += distinct;
      } else {
        assert.equal(rows, reads * most, `${key}: every read of the file in full`);
        assert.ok(
          tally.files <= reads && reads <= tally.files + tally.unanswered,
          `${key}: ${tally.files} reads, ${reads} billed`,
        );
        figures.files += tally.files;
      }
    }
    return figures;
  }
}

function keyOf({ account, game, dataset, seq }: Metered): string {
  return `${account} ${game} ${dataset} ${seq === null ? 'file' : 'live'}`;
}
