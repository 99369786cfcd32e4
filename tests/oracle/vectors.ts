// Reads a file of vectors into pushes and expectations without loss: bodies are cut out of the file's own text. See
// "Steps" and "Generators" in the vectors' README.
import { type Json, member, readJson, stringMember } from './json.ts';
import type { OddsApiQuery } from './odds-api.ts';
import type { Push } from './pushes.ts';
import { readTime, writeTime } from './times.ts';

export interface ExpectedGame {
  rows?: (string | number | boolean | null)[][];
  row_count?: number;
  segments?: number[];
  boards?: Record<string, [string, number][]>;
  watermarks?: Record<string, string>;
  states?: Record<string, Record<string, string[]>>;
}

export interface Vector {
  name: string;
  rule: string;
  pushes: Push[];
  expect: {
    games: Record<string, ExpectedGame>;
    refusals: [number, number | null, string | number][];
    duplicates: number;
  };
}

export function readVector(text: string): Vector {
  const file = readJson(text);
  const expect = member(file, 'expect')!;
  return {
    name: stringMember(file, 'name')!,
    rule: stringMember(file, 'rule')!,
    pushes: member(file, 'steps')!.items.flatMap((step, index) => pushesOf(step, index, text)),
    expect: JSON.parse(text.slice(expect.start, expect.end)) as Vector['expect'],
  };
}

function pushesOf(step: Json, index: number, text: string): Push[] {
  const scopes = member(step, 'scopes');
  const push: Push = {
    step: index,
    source: stringMember(step, 'source')!,
    scopes: scopes === undefined ? ['push', 'backfill'] : scopes.items.map((scope) => scope.text),
    format: stringMember(step, 'format') === 'the-odds-api-v4' ? 'the-odds-api-v4' : 'quotes',
    query: Object.fromEntries(
      (member(step, 'query')?.members ?? []).map((entry) => [entry.name, entry.value.text]),
    ) as OddsApiQuery,
    at: stringMember(step, 'at')!,
    timed: stringMember(step, 'timed') === 'source' ? 'source' : 'receive',
    idempotencyKey: stringMember(step, 'idempotency_key'),
    body: '',
  };
  const body = member(step, 'body');
  if (body !== undefined) return [{ ...push, body: text.slice(body.start, body.end) }];
  const generated = generate(JSON.parse(text.slice(step.start, step.end)) as GeneratorStep);
  return generated.map((one) => ({ ...push, at: one.at, body: one.body }));
}

interface GeneratorStep {
  at: string;
  operator: string;
  game: Record<string, string>;
  generate: {
    kind: 'walk' | 'wide' | 'pad';
    n: number;
    per_push: number;
    every_us: number;
    event: string;
    bytes: number;
    then: unknown[];
  };
}

function generate(step: GeneratorStep): { at: string; body: string }[] {
  const { kind, n, per_push: perPush, every_us: every, event, bytes } = step.generate;
  const { operator, game } = step;
  if (kind === 'walk') {
    const pushes: { at: string; body: string }[] = [];
    for (let first = 0, j = 0; first < n; first += perPush, j += 1) {
      const events = [];
      for (let k = first; k < Math.min(n, first + perPush); k += 1) {
        const quote = { market: 'moneyline', selection: 'home', price: { american: 100 + (k % 1000) } };
        events.push({ kind: 'delta', operator, game, quotes: [quote] });
      }
      const at = writeTime(readTime(step.at)! + BigInt(j) * BigInt(every));
      pushes.push({ at, body: JSON.stringify({ events }) });
    }
    return pushes;
  }
  const quotes = [];
  for (let k = 0; k < n; k += 1) quotes.push({ market: 'x_wide', selection: `s${k}`, price: { american: 100 + k } });
  const wide: Record<string, unknown> = { kind: event, operator, game, quotes };
  if (kind === 'pad') {
    wide.pad = '';
    wide.pad = 'x'.repeat(bytes - JSON.stringify(wide).length);
  }
  return [{ at: step.at, body: JSON.stringify({ events: [wide, ...step.generate.then] }) }];
}
