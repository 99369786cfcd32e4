// The recorded evenings of odds that test folds, the oracle and the whole service: a real one, which clones elsewhere
// do not have, and one made by the demo's generator (record-evening.ts). Their totals were counted once and hold at any
// speed.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { PurePush } from '../folds/pure-service.ts';

export type OddsEvening = {
  name: string;
  file: string;
  /** Why the evening cannot be read here. */
  absent: string | false;
  polls: number;
  /** In all polls together; an element is a game in a poll. */
  elements: number;
  quotes: number;
  games: number;
  rows: number;
  changes: Record<string, number>;
  /** One of its games: its rows and segments, and at the end its boards with offers and the open quotes on them. */
  watched: { id: string; rows: number; segments: number[]; boards: number; open: number };
};

const realFile = fileURLToPath(
  new URL('../../../../shared/data/odds-mlb-2026/snapshots_20260805T2000Z_20260806T0500Z.ndjson.gz', import.meta.url),
);

export const oddsEvenings: readonly OddsEvening[] = [
  {
    name: 'the recorded MLB evening',
    file: realFile,
    absent: existsSync(realFile) ? false : '../shared/data/odds-mlb-2026 is absent',
    polls: 108,
    elements: 2_138,
    quotes: 100_556,
    games: 26,
    rows: 24_262,
    changes: { opened: 1_530, price: 16_908, line: 191, price_and_line: 4_829, withdrawn: 636, resumed: 168 },
    watched: { id: 'MLB_STL_NYY_20260805', rows: 2_143, segments: [512, 512, 512, 512, 95], boards: 7, open: 36 },
  },
  {
    name: 'the seeded evening',
    file: fileURLToPath(new URL('seeded-evening.ndjson.gz', import.meta.url)),
    absent: false,
    polls: 108,
    elements: 807,
    quotes: 36_644,
    games: 12,
    rows: 33_919,
    changes: { opened: 840, price: 26_797, line: 679, price_and_line: 4_609, withdrawn: 802, resumed: 192 },
    watched: {
      id: 'MLB_TEX_TB_20260805',
      rows: 3_608,
      segments: [512, 512, 512, 512, 512, 512, 512, 24],
      boards: 5,
      open: 20,
    },
  },
];

/** Its polls as recorded: each a line with the time (`committed_at`) and the body (`data`), in this order. */
export function pollLines({ file }: OddsEvening): string[] {
  return gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
}

/** The polls as pushes of one source, each observed when it was recorded. */
export function pollPushes(evening: OddsEvening): PurePush[] {
  return pollLines(evening).map((line) => {
    const observedAt = /^\{"committed_at":"([^"]+)"/.exec(line)?.[1] as string;
    // The body exactly as in the line: from `"data":` to the line's closing brace.
    const body = line.slice(line.indexOf('"data":') + '"data":'.length, -1);
    return {
      source: 'recorded',
      format: 'the-odds-api-v4',
      query: { oddsFormat: null, markets: null, bookmakers: null },
      receivedAt: parseRfc3339(observedAt) as number,
      observedAt,
      mayBackfill: true,
      idempotencyKey: null,
      body: new TextEncoder().encode(body),
    };
  });
}
