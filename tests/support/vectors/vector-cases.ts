// The cases of tests/vectors/quotes as pushes: bodies keep their numbers as written, and generators are unrolled.

import { readdirSync, readFileSync } from 'node:fs';
import { parse, stringify } from 'lossless-json';
import type { FeedScope } from '../../../core/ports/catalog/keys.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { Micros } from '../../../core/units.ts';

const folder = new URL('../../vectors/quotes/', import.meta.url);

export type VectorPush = {
  /** The step of the case that the push belongs to. */
  step: number;
  source: string;
  scopes: readonly FeedScope[];
  format: 'quotes' | 'the-odds-api-v4';
  query: { odds_format?: string; markets?: string; bookmakers?: string };
  timed: 'receive' | 'source';
  /** The time as the case spells it, and parsed. */
  at: string;
  receivedAt: Micros;
  idempotencyKey: string | null;
  body: Uint8Array;
};

export type ExpectedGame = {
  rows?: readonly (readonly unknown[])[];
  row_count?: number;
  segments: readonly number[];
  boards: Record<string, readonly (readonly [string, number])[]>;
  watermarks: Record<string, string>;
  states?: Record<string, Record<string, readonly string[]>>;
};

export type VectorCase = {
  name: string;
  rule: string;
  pushes: readonly VectorPush[];
  expect: { games: Record<string, ExpectedGame>; refusals: readonly (readonly unknown[])[]; duplicates: number };
};

/** All cases, by name. */
export function vectorCases(): VectorCase[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => caseOf(readFileSync(new URL(name, folder), 'utf8')));
}

function caseOf(text: string): VectorCase {
  const plain = JSON.parse(text) as { name: string; rule: string; steps: Step[]; expect: VectorCase['expect'] };
  // Read a second time without loss, for the bodies only.
  const lossless = parse(text) as { steps: { body?: unknown }[] };
  const pushes = plain.steps.flatMap((step, index) =>
    'generate' in step ? generated(step, index) : [pushed(step, index, stringify(lossless.steps[index]?.body) ?? '')],
  );
  return { name: plain.name, rule: plain.rule, pushes, expect: plain.expect };
}

type Pushed = {
  source: string;
  scopes?: FeedScope[];
  format: VectorPush['format'];
  query: VectorPush['query'];
  timed: VectorPush['timed'];
  at: string;
  idempotency_key?: string;
};
type Generate =
  | { kind: 'walk'; n: number; per_push: number; every_us: number }
  | { kind: 'wide'; n: number; event: string; then: unknown[] }
  | { kind: 'pad'; n: number; event: string; bytes: number; then: unknown[] };
type Generated = { source: string; at: string; operator: string; game: unknown; generate: Generate };
type Step = Pushed | Generated;

function pushed(step: Pushed, index: number, body: string): VectorPush {
  return {
    step: index,
    source: step.source,
    scopes: step.scopes ?? ['push', 'backfill'],
    format: step.format,
    query: step.query,
    timed: step.timed,
    at: step.at,
    receivedAt: timeOf(step.at),
    idempotencyKey: step.idempotency_key ?? null,
    body: new TextEncoder().encode(body),
  };
}

function generated({ source, at, operator, game, generate }: Generated, index: number): VectorPush[] {
  const step: Pushed = { source, format: 'quotes', query: {}, timed: 'receive', at };
  const push = (events: unknown[], after: Micros): VectorPush => ({
    ...pushed(step, index, JSON.stringify({ events })),
    receivedAt: timeOf(at) + after,
  });
  if (generate.kind === 'walk') {
    const { n, per_push: size, every_us: every } = generate;
    return Array.from({ length: Math.ceil(n / size) }, (_, number) => {
      const ofPush = Array.from({ length: Math.min(size, n - number * size) }, (_, each) => number * size + each);
      const events = ofPush.map((event) => {
        const quotes = [{ market: 'moneyline', selection: 'home', price: { american: 100 + (event % 1000) } }];
        return { kind: 'delta', operator, game, quotes };
      });
      return push(events, number * every);
    });
  }
  const quotes = Array.from({ length: generate.n }, (_, each) => {
    return { market: 'x_wide', selection: `s${each}`, price: { american: 100 + each } };
  });
  const event = { kind: generate.event, operator, game, quotes };
  const wide = generate.kind === 'pad' ? padded(event, generate.bytes) : event;
  return [push([wide, ...generate.then], 0)];
}

/** The event with a member `pad` that makes its compact JSON exactly `bytes` long. */
function padded(event: object, bytes: number): object {
  const without = JSON.stringify({ ...event, pad: '' }).length;
  return { ...event, pad: 'x'.repeat(bytes - without) };
}

function timeOf(text: string): Micros {
  const time = parseRfc3339(text);
  if (time === null) throw new Error(`no time: ${text}`);
  return time;
}
