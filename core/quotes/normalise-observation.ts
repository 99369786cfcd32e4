// Normalises a record of the topic. Every record passes here before the fold, from the gateway or written directly. A record from the
// gateway passes unchanged; others are held to the same rules. Avro has checked the types; nothing else is trusted. Ignores earlier
// records: the fold handles duplicates, ownership and lateness.
import type { Observation, OperatorQuotes, QuotesRecord } from '../../schemas/events/quotes.ts';
import { isPublicId } from '../games/public-id.ts';
import { isStatus } from '../games/status.ts';
import { isCanonicalUuid, nilUuid } from '../games/uuid.ts';
import { isLeague } from '../league-code.ts';
import type { Task } from '../scheduling/task.ts';
import type { Micros } from '../units.ts';
import { badOperatorCode, isRank, isSourceName, operatorCodeOf } from './name-forms.ts';
import { normalisingOperators, type OperatorFault } from './normalise-operators.ts';
import { plausibleTime } from './plausible-time.ts';
import { sourceTimeRefusal } from './source-time.ts';
import type { NormalObservation, QuotePlace, QuoteRefusal, RefusalCode } from './types.ts';

type NormalisedRecord =
  | { kind: 'observation'; observation: NormalObservation; refusals: readonly QuoteRefusal[] }
  | { kind: 'refused'; refusal: QuoteRefusal };

/** Most quotes of one element or record. docs/quotes.md#the-native-event. */
export const maxQuotes = 5_000;

/**
 * Why a record cannot be folded at all: `bad-key` (docs/quotes.md#resolving-the-game), otherwise `bad-record`; null if its frame is sound:
 * its key, its game, exactly one kind of content, and plausible times. The fold decides how far to trust those times. A tick with the nil
 * UUID applies to a whole partition; its league and game id are ignored.
 */
export function recordRefusal(key: string | null, record: QuotesRecord): QuoteRefusal | null {
  const { game_uuid: uuid } = record;
  if (!isCanonicalUuid(uuid)) return badFrame('bad-key', '/game_uuid', 'game_uuid is not a canonical UUID');
  if (key !== uuid) return badFrame('bad-key', '/game_uuid', 'the key is not the UUID in the value');
  if (uuid === nilUuid && record.tick === null) {
    return badFrame('bad-record', '/game_uuid', 'only a tick may have the nil UUID: name the game');
  }
  const wrong = wrongMember(record);
  return wrong === null ? null : badFrame('bad-record', `/${wrong}`, `${wrong} is invalid or missing`);
}

/** The first invalid member. */
function wrongMember(record: QuotesRecord): keyof QuotesRecord | null {
  const { observation, start, status, owner, tick, settle, rebuild = null } = record;
  if (record.game_uuid !== nilUuid) {
    if (!isLeague(record.league)) return 'league';
    if (!namesGame(record)) return 'game_id';
  }
  if (record.received_at !== null && !isTime(record.received_at)) return 'received_at';
  if (record.push_index !== null && !(record.push_index >= 0)) return 'push_index';
  if (record.rank !== null && !isRank(record.rank)) return 'rank';
  const contents = [observation, start, status, owner, tick, settle, rebuild];
  if (contents.filter((content) => content !== null).length !== 1) return 'observation';
  if (tick !== null) return isTime(tick.at) ? null : 'tick';
  if (!isSourceName(record.source)) return 'source';
  if (start !== null) return Number.isSafeInteger(start.scheduled_start) ? null : 'start';
  if (status !== null) return isStatus(status.status) && isTime(status.at) ? null : 'status';
  if (owner !== null)
    return operatorCodeOf(owner.operator) !== null && isSourceName(owner.owner_source) ? null : 'owner';
  return null;
}

/** Whether the game id is a public id of this league, or the UUID of a game that is not minted. */
function namesGame(record: QuotesRecord): boolean {
  if (record.game_id === record.game_uuid) return true;
  return isPublicId(record.game_id) && record.game_id.startsWith(`${record.league}_`);
}

function isTime(time: Micros): boolean {
  return Number.isSafeInteger(time) && time >= 0;
}

function badFrame(code: 'bad-key' | 'bad-record', pointer: string, detail: string): QuoteRefusal {
  return { code, pointer, detail };
}

/**
 * Normalises a record's observation and lists the refused parts; or returns the one code that refuses it whole, checked in the order of
 * docs/quotes.md#the-native-event. `brokerTime` replaces an absent receive time; a present one was already checked against it. Only for
 * records whose `observation` is set and whose frame is sound (`recordRefusal`). `hasRoom` says whether the game holds a sportsbook of a
 * game image or has room for it.
 */
export function* normalisingObservation(
  record: QuotesRecord,
  brokerTime: Micros,
  hasRoom?: (operator: string) => boolean,
): Task<NormalisedRecord> {
  const raw = record.observation;
  if (raw === null) return refused('bad-record', '', 'the record has no observation');
  if (countQuotes(raw.operators) > maxQuotes) {
    return refused('too-large', '/observation', `more than ${maxQuotes} quotes`);
  }
  const shape = shapeOf(raw);
  if (typeof shape === 'string') return refused('bad-event', '/observation', shape);
  const { kind, scope } = shape;

  if (scope === 'operator' && operatorCodeOf((raw.operators[0] as OperatorQuotes).operator) === null) {
    return refused('bad-operator', '/observation/operators/0', badOperatorCode);
  }
  if (raw.observed_at !== null) {
    const refusal = sourceTimeRefusal(raw.observed_at, receivedBy(record, brokerTime), '/observation/observed_at');
    if (refusal !== null) return { kind: 'refused', refusal };
  }

  const room = scope === 'game' ? hasRoom : undefined;
  const { operators, faults } = yield* normalisingOperators(raw.operators, kind, room);
  const observation: NormalObservation = {
    kind,
    scope,
    observed_at: raw.observed_at,
    commence_time: raw.commence_time,
    in_play: raw.in_play,
    coverage: kind === 'image' ? raw.coverage : null,
    covered_operators: scope === 'game' && raw.covered_operators !== null ? codesOf(raw.covered_operators) : null,
    operators,
  };
  return { kind: 'observation', observation, refusals: faults.map(recordPointer) };
}

/** The latest time at which the record can have been received. The receive time of a direct record counts only up to the broker's time. */
function receivedBy({ push, received_at: received }: QuotesRecord, brokerTime: Micros): Micros {
  if (received === null) return brokerTime;
  return push === null ? Math.min(received, brokerTime) : received;
}

function countQuotes(entries: readonly OperatorQuotes[]): number {
  let count = 0;
  for (const entry of entries) count += entry.quotes.length;
  return count;
}

/** Kind and scope of a well-formed observation, or what is wrong with it. */
function shapeOf(raw: Observation): Pick<NormalObservation, 'kind' | 'scope'> | string {
  const { kind, scope } = raw;
  if (kind !== 'image' && kind !== 'delta' && kind !== 'heartbeat') return 'kind is not image, delta or heartbeat';
  if (scope !== 'operator' && scope !== 'game') return 'scope is not operator or game';
  if (scope === 'game' && kind !== 'image') return `a ${kind} of scope game`;
  if (scope === 'operator' && !isOfOneOperator(raw.operators)) return 'scope operator without exactly one operator';
  if (kind === 'heartbeat' && countQuotes(raw.operators) > 0) return 'a heartbeat with quotes';
  if (raw.commence_time !== null && plausibleTime(raw.commence_time) === null)
    return 'commence_time is before 1970 or after 2199';
  return { kind, scope };
}

/** Whether all entries are of one sportsbook: two entries with the same code are (docs/quotes.md#operator-codes). */
function isOfOneOperator([first, ...others]: readonly OperatorQuotes[]): boolean {
  if (first === undefined) return false;
  const code = operatorCodeOf(first.operator) ?? first.operator;
  return others.every(({ operator }) => (operatorCodeOf(operator) ?? operator) === code);
}

/** A key that is not a valid code covers no sportsbook. */
function codesOf(keys: readonly string[]): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const key of keys) {
    const code = operatorCodeOf(key);
    if (code !== null) codes.add(code);
  }
  return codes;
}

function recordPointer({ entry, quote, fault }: OperatorFault): QuoteRefusal {
  if (quote === null) return { code: fault.code, pointer: operatorPointer(entry), detail: fault.detail };
  const member = fault.member === null || fault.member === 'price' ? '' : `/${fault.member}`;
  return { code: fault.code, pointer: `${quotePointer({ entry, quote })}${member}`, detail: fault.detail };
}

/** JSON pointer, from the record, to an entry of its `operators`. */
export function operatorPointer(entry: number): string {
  return `/observation/operators/${entry}`;
}

/** JSON pointer, from the record, to one of its quotes. */
export function quotePointer({ entry, quote }: QuotePlace): string {
  return `${operatorPointer(entry)}/quotes/${quote}`;
}

function refused(code: RefusalCode, pointer: string, detail: string): NormalisedRecord {
  return { kind: 'refused', refusal: { code, pointer, detail } };
}
