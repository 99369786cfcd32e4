// Pushes bodies of MSF like a feed operator, and reads the result like a client: with the Python client, and directly.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { wallClockNow } from '../../../platform/process/clock.ts';
import { until } from '../services/until.ts';
import type { Edition } from './edition.ts';

const reader = fileURLToPath(new URL('../clients/revisions.py', import.meta.url));

/** A revision that the client has proven. */
export type Proven = {
  stream_epoch: string;
  revision: number;
  revision_kind: string;
  status: string;
  row_count: number;
  snapshot_row_count: number;
  snapshot_digest: string;
  proves: 'snapshot' | 'change' | 'baseline' | 'archive';
  archive?: string;
};

export type MsfTarget = { league: string; season: string; feed: string; game?: number | string };

/** Pushes a body and returns its receipt; repeats the push while the gateway has no room. */
export async function pushMsf(
  edition: Pick<Edition, 'ingestUrl'>,
  key: string,
  target: MsfTarget,
  body: unknown,
  headers: Readonly<Record<string, string>> = { 'x-request-started-at': formatMicros(wallClockNow()) },
): Promise<string> {
  const { league, season, feed, game } = target;
  const query = game === undefined ? '' : `?game=${game}`;
  for (;;) {
    const response = await fetch(
      `${edition.ingestUrl}/v1/sources/recorded/msf/${league.toLowerCase()}/${season}/${feed}${query}`,
      {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      },
    );
    const answer = (await response.json()) as { receipt: string; rejected?: unknown[] };
    if (response.status === 429 || response.status === 503) continue;
    assert.equal(response.status, 202, JSON.stringify(answer));
    assert.deepEqual(answer.rejected, []);
    return answer.receipt;
  }
}

export type MsfReceipt = {
  state: string;
  counts: { accepted: number; applied: number; refused: number };
  records: {
    index: number;
    revisions: { dataset: string; epoch: string; revision: number }[];
    refusals: { pointer: string; code: string }[];
  }[];
};

/** The receipt of a push once everything in it is folded and visible. */
export async function appliedMsf(
  edition: Pick<Edition, 'ingestUrl'>,
  key: string,
  receipt: string,
): Promise<MsfReceipt> {
  let found: MsfReceipt | undefined;
  await until(
    `receipt ${receipt} is applied`,
    async () => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${edition.ingestUrl}/v1/receipts/${receipt}`, { headers });
      found = (await response.json()) as MsfReceipt;
      return found.state === 'applied';
    },
    { everyMs: 10 },
  );
  return found as MsfReceipt;
}

/** Reads revisions with the Python client; rejects with its reason when anything was not as published. */
export async function readInPython(
  python: string,
  edition: Pick<Edition, 'apiUrl' | 'apiKey'>,
  subject: string,
  dataset: string,
  ...options: readonly string[]
): Promise<Proven[]> {
  const words = [reader, edition.apiUrl, edition.apiKey, subject, dataset, ...options];
  const child = spawn(python, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, error, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  assert.equal(code, 0, `${subject} ${dataset} ${options.join(' ')}: ${error}`);
  return out
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Proven);
}
