// Writes kept bytes, or those in memory, to a client as the API would: preconditions, one range of a file, HEAD. Stale answers are marked as such.
import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ifMatchPasses, ifNoneMatchNames, ifRangeHolds } from '../../api/http/etag.ts';
import { parseRange, resolveRange } from '../../api/http/range.ts';
import { type Refusal, refuse } from '../../http/refusal.ts';
import { wallClockNow } from '../../platform/process/clock.ts';
import type { ProxyAnswer, ProxyRequest } from './proxy-answer.ts';

type Kept = Extract<ProxyAnswer, { kind: 'kept' }>;

type Part = { start: number; end: number };
/** Which bytes are sent; null: nothing has changed. */
type Chosen = Part | 'whole' | 'unchanged' | Refusal;

/** Closes `file`; null: the bytes are in memory. Returns a refusal to be written instead. */
export async function writeKept(
  response: ServerResponse,
  { method, fields }: ProxyRequest,
  { answer, how, asked, bytes }: Kept,
  file: FileHandle | null,
): Promise<Refusal | null> {
  await using opened = new AsyncDisposableStack();
  opened.defer(() => file?.close());
  const { size, etag, kind } = answer;
  const chosen = choose(fields, etag, size, kind !== 'document' && method === 'GET');
  if (typeof chosen === 'object' && 'refused' in chosen) return chosen;
  const own = [...answer.fields, ...fieldsOf(how, answer.checkedAt, asked)];
  if (chosen === 'unchanged') {
    response.writeHead(304, withoutContent(own)).end();
    return null;
  }
  const { start, end } = chosen === 'whole' ? { start: 0, end: size } : chosen;
  const length = ['content-length', String(end - start)];
  if (chosen === 'whole') response.writeHead(200, [...length, ...own]);
  else response.writeHead(206, [...length, 'content-range', `bytes ${start}-${end - 1}/${size}`, ...unstored(own)]);
  if (method === 'HEAD' || start === end) response.end();
  // A client that disconnects ends it.
  else if (file !== null)
    await pipeline(file.createReadStream({ start, end: end - 1, autoClose: false }), response).catch(() => {});
  else response.end(bytes?.subarray(start, end));
  return null;
}

function choose(fields: ProxyRequest['fields'], etag: string | null, size: number, ranges: boolean): Chosen {
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-range': ifRange, range } = fields;
  if (match !== undefined && !(etag !== null && ifMatchPasses(match, etag))) return refuse('precondition-failed');
  if (noneMatch !== undefined && etag !== null && ifNoneMatchNames(noneMatch, etag)) return 'unchanged';
  if (!ranges || range === undefined) return 'whole';
  if (typeof ifRange === 'string' && !(etag !== null && ifRangeHolds(ifRange, etag))) return 'whole';
  const parsed = parseRange(range);
  if (parsed.kind === 'malformed')
    return refuse('validation-error', { detail: 'Range must be one range of bytes, such as bytes=0-1023.' });
  if (parsed.kind === 'whole') return 'whole';
  const part = resolveRange(parsed.range, size);
  return part ?? refuse('range-not-satisfiable', { headers: ['Content-Range', `bytes */${size}`] });
}

/** How the answer was made (RFC 9211), what it cost, and its age if that exceeds its freshness. */
function fieldsOf(how: Kept['how'], checkedAt: number, asked: Kept['asked']): string[] {
  const statuses = {
    hit: 'hit',
    stored: 'fwd=miss; stored',
    received: 'fwd=miss',
    confirmed: 'hit; detail=confirmed',
    stale: 'hit; detail=stale',
  };
  const debited = asked['x-service-debited'];
  const applied = asked['preference-applied'];
  const age = String(Math.max(0, Math.floor((wallClockNow() - checkedAt) / 1_000_000)));
  return [
    ...[
      'cache-status',
      `sds-proxy; ${statuses[how]}`,
      'x-service-debited',
      typeof debited === 'string' ? debited : '0',
    ],
    ...(typeof applied === 'string' ? ['preference-applied', applied] : []),
    ...(how === 'stale' ? ['age', age, 'warning', '110 sds-proxy "Response is Stale"'] : []),
  ];
}

/** A 304 must not describe a body. */
function withoutContent(fields: readonly string[]): string[] {
  const ofContent = ['content-type', 'accept-ranges', 'x-service-rowcount'];
  return fields.filter((_, at) => !ofContent.includes(fields[at - (at % 2)] ?? ''));
}

/** A part is never stored, whatever applies to the whole. */
function unstored(fields: readonly string[]): string[] {
  return fields.map((value, at) => (at % 2 === 1 && fields[at - 1] === 'cache-control' ? 'no-store' : value));
}
