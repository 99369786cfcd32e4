// Writes dead letters to the catalog, from the gateway and, in the transaction that moves the offset, from a projector.
import { hash } from 'node:crypto';
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import { mostDeadLettersOfFold } from '../../core/limits/feed-quotas.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import { isSourceName } from '../../core/quotes/name-forms.ts';
import { jsonParameter, timestampText } from './values.ts';

const receiptForm = /^[\x21-\x7e]{1,100}$/;

/**
 * Our receipts are short. In a hostile record the receipt may be any text; such a record gets none. (Two texts that the database stores
 * alike would clash.)
 */
export function isReceipt(text: string): boolean {
  return receiptForm.test(text);
}

/**
 * Dead letters as the parameter of `insertDeadLetters`. A push may be refused ten thousand times for one reason: common facts are included
 * once, and so is a payload that several letters share.
 */
export function deadLettersParameter(deadLetters: readonly DeadLetter[]): string {
  const hashes = new Map<Uint8Array, string>();
  const uses = new Map<string, number>();
  const sha256Of = ({ payload, held }: DeadLetter): string => {
    const sha256 = held?.sha256 ?? hashes.get(payload) ?? hash('sha256', payload);
    if (held === undefined) hashes.set(payload, sha256);
    return sha256;
  };
  for (const letter of deadLetters) {
    const sha256 = sha256Of(letter);
    uses.set(sha256, (uses.get(sha256) ?? 0) + 1);
  }
  const shared = new Map<string, DeadLetter>();
  const facts: object[] = [];
  /** The number of each set of common facts, from 1. */
  const numbers = new Map<string, number>();
  const letters = deadLetters.map((deadLetter) => {
    const sha256 = sha256Of(deadLetter);
    const isShared = deadLetter.held !== undefined || (uses.get(sha256) ?? 0) > 1;
    if (isShared) shared.set(sha256, deadLetter);
    const own = factsOf(deadLetter, sha256, isShared);
    // An unshared payload may be long and belongs to one letter; it is converted to text once, at the end.
    const text = isShared ? JSON.stringify(own) : null;
    const number = (text === null ? undefined : numbers.get(text)) ?? facts.push(own);
    if (text !== null) numbers.set(text, number);
    return { f: number, o: deadLetter.offset, p: deadLetter.pointer, i: deadLetter.pushIndex };
  });
  const payloads = [...shared].map(([sha256, { payload, held }]) =>
    held === undefined ? { sha256, payload: base64(payload) } : { sha256, key: held.key, size: held.size },
  );
  return jsonParameter({ facts, letters, shared: payloads });
}

/** All facts of a dead letter except its place in its record or push. */
function factsOf(deadLetter: DeadLetter, sha256: string, isShared: boolean) {
  return {
    topic: deadLetter.topic,
    partition: deadLetter.partition,
    code: deadLetter.code,
    detail: deadLetter.detail,
    source: deadLetter.source,
    // A hostile record may have any text here.
    game_uuid: deadLetter.gameUuid !== null && isCanonicalUuid(deadLetter.gameUuid) ? deadLetter.gameUuid : null,
    game_id: deadLetter.gameId,
    // A hostile record may name a very long one, which would be repeated in every dead letter of it.
    receipt: deadLetter.receipt !== null && isReceipt(deadLetter.receipt) ? deadLetter.receipt : null,
    received_at: deadLetter.receivedAt === undefined ? null : timestampText(deadLetter.receivedAt),
    sent: deadLetter.sent ?? null,
    payload: isShared ? null : base64(deadLetter.payload),
    payload_sha256: sha256,
    // A hostile record may have any text here.
    counts_as: deadLetter.source !== null && isSourceName(deadLetter.source) ? deadLetter.source : '',
  };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The dead letters of `parameter` with their place in it, as `d`. */
const placedLetters = (
  parameter: string,
) => `(select facts.*, l.o as "offset", l.p as pointer, l.i as push_index, l.place
      from rows from (jsonb_to_recordset(${parameter}::jsonb -> 'letters') as (f integer, o bigint, p text, i integer))
        with ordinality as l (f, o, p, i, place)
      join rows from (jsonb_to_recordset(${parameter}::jsonb -> 'facts') as (topic text, partition integer, code text, detail text,
        source text, game_uuid uuid, game_id text, receipt text, received_at timestamptz, sent jsonb, payload text, payload_sha256 text, counts_as text))
        with ordinality as facts (topic, partition, code, detail, source, game_uuid, game_id, receipt, received_at, sent, payload,
          payload_sha256, counts_as, f)
        on facts.f = l.f) as d`;

/** Stores the payloads that several dead letters share, restricted by `where`. */
const sharedPayloads = (parameter: string, and: string, where = '') => `payloads as (
      insert into letter_payloads (sha256, payload, key, size)
      select s.sha256, decode(s.payload, 'base64'), s.key, s.size
      from jsonb_to_recordset(${parameter}::jsonb -> 'shared') as s (sha256 text, payload text, key text, size bigint)${and}${where}
      returning id, sha256
    )`;

const deadLetterRows = (
  from: string,
  and: string,
) => `insert into dead_letters (topic, partition, "offset", code, detail, pointer, source,
      game_uuid, game_id, receipt, push_index, received_at, sent, payload, payload_id, payload_sha256)
    select d.topic, d.partition, d."offset", d.code, d.detail, d.pointer, d.source, d.game_uuid, d.game_id, d.receipt, d.push_index, d.received_at, d.sent,
      decode(d.payload, 'base64'), payloads.id, d.payload_sha256
    from ${from} left join payloads on payloads.sha256 = d.payload_sha256${and}
    order by d.place`;

/**
 * The CTEs that insert the dead letters of `parameter` (`$1` or another); `from` adds a table that must contain a row. `payloads` goes
 * before `letters` at the top of the statement.
 */
export function insertingDeadLetters(parameter: string, from = ''): { payloads: string; letters: string } {
  const and = from === '' ? '' : `, ${from}`;
  return { payloads: sharedPayloads(parameter, and), letters: deadLetterRows(placedLetters(parameter), and) };
}

/** A statement that only inserts the dead letters of `parameter`. */
export function insertDeadLetters(parameter: string): string {
  const { payloads, letters } = insertingDeadLetters(parameter);
  return `with ${payloads} ${letters}`;
}

/**
 * CTEs for the dead letters of a fold: they store the first ones of each source, as many as its quota for this UTC day allows, and count
 * all of them. They lock sources in a fixed order, so that no two commits wait for each other.
 */
export function keepingDeadLettersOfFold(parameter: string, from = ''): string {
  const and = from === '' ? '' : `, ${from}`;
  return `letters_given as materialized (
      select d.*, row_number() over (partition by d.counts_as order by d.place) as nth from ${placedLetters(parameter)}${and}
    ), letters_counted as (
      insert into fold_letter_days as held (source, day, letters)
      select counts_as, (now() at time zone 'utc')::date, count(*) from letters_given group by counts_as order by counts_as
      on conflict (source, day) do update set letters = held.letters + excluded.letters
      returning source, letters
    ), letters_kept as materialized (
      select t.* from letters_given as t
      join (select counts_as, count(*) as new from letters_given group by counts_as) as n using (counts_as)
      join letters_counted as c on c.source = t.counts_as
      where t.nth <= ${mostDeadLettersOfFold} - (c.letters - n.new)
    ), ${sharedPayloads(parameter, '', ' where exists (select from letters_kept as k where k.payload_sha256 = s.sha256)')}, letters as (
    ${deadLetterRows('letters_kept as d', '')}
  )`;
}
