// Kafka's SaslHandshake request, and what its answer says of a listener: which logins it takes, if any. A listener without logins answers too,
// that the request does not fit its state; so any answer shows a broker. Kafka protocol, API key 17, version 1.

export type OfferedLogins = { takesNone: boolean; mechanisms: readonly string[] };

const apiKey = 17;
const version = 1;
const correlation = 0x5344_5331;
/** ILLEGAL_SASL_STATE */
const noLoginHere = 34;

export function saslHandshake(mechanism: string): Buffer {
  const body = Buffer.concat([
    int16(apiKey),
    int16(version),
    int32(correlation),
    text('sds-check'),
    text(mechanism.toUpperCase()),
  ]);
  return Buffer.concat([int32(body.length), body]);
}

/** Null: these are not the bytes of a broker. */
export function readOfferedLogins(answer: Buffer): OfferedLogins | null {
  if (answer.length < 14 || answer.readInt32BE(4) !== correlation) return null;
  const error = answer.readInt16BE(8);
  const mechanisms: string[] = [];
  let at = 14;
  for (let left = answer.readInt32BE(10); left > 0 && at + 2 <= answer.length; left -= 1) {
    const length = answer.readInt16BE(at);
    mechanisms.push(answer.toString('utf8', at + 2, at + 2 + length));
    at += 2 + Math.max(0, length);
  }
  return { takesNone: error === noLoginHere, mechanisms };
}

function text(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
