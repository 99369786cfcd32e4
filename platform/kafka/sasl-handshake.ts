// Kafka's SaslHandshake request (API key 17, version 1), and what the answer tells about a listener: which logins it accepts, if any. A
// listener without logins also answers, with an error about its state; so any answer shows that there is a broker.

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

/** Null: the bytes are not a broker's answer. */
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
