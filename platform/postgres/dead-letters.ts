// Dead letters on their way into the catalog: from the gateway and, in the transaction of the offset, from a projector alike.
import { createHash } from 'node:crypto';
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import { jsonParameter } from './values.ts';

const receiptForm = /^[\x21-\x7e]{1,100}$/;

/** A receipt is ours and short; a hostile record's may be anything, and is then nobody's. (Two that the database spells alike would clash.) */
export function isReceipt(text: string): boolean {
  return receiptForm.test(text);
}

/** The letters as the parameter of `insertDeadLetters`. */
export function deadLettersParameter(letters: readonly DeadLetter[]): string {
  return jsonParameter(
    letters.map((letter) => ({
      topic: letter.topic,
      partition: letter.partition,
      offset: letter.offset,
      code: letter.code,
      detail: letter.detail,
      pointer: letter.pointer,
      source: letter.source,
      // Of a hostile record it may be anything.
      game_uuid: letter.gameUuid !== null && isCanonicalUuid(letter.gameUuid) ? letter.gameUuid : null,
      game_id: letter.gameId,
      // One of a hostile record, as long as that, would stand in every letter of it.
      receipt: letter.receipt !== null && isReceipt(letter.receipt) ? letter.receipt : null,
      push_index: letter.pushIndex,
      payload: Buffer.from(letter.payload).toString('base64'),
      payload_sha256: createHash('sha256').update(letter.payload).digest('hex'),
    })),
  );
}

/** Inserts the letters of `parameter` (`$1` or another); `from` adds a table that has to hold a row. */
export function insertDeadLetters(parameter: string, from = ''): string {
  return `insert into dead_letters (topic, partition, "offset", code, detail, pointer, source, game_uuid, game_id, receipt, push_index,
      payload, payload_sha256)
    select d.topic, d.partition, d."offset", d.code, d.detail, d.pointer, d.source, d.game_uuid, d.game_id, d.receipt, d.push_index,
      decode(d.payload, 'base64'), d.payload_sha256
    from jsonb_to_recordset(${parameter}::jsonb) as d (topic text, partition integer, "offset" bigint, code text, detail text,
      pointer text, source text, game_uuid uuid, game_id text, receipt text, push_index integer, payload text,
      payload_sha256 text)${from === '' ? '' : `, ${from}`}`;
}
