// The X-Request-Id of an answer: the client's own if the listener accepts it and it is short and plain, otherwise a new one.
import { randomUUID } from 'node:crypto';

/** The id for a request whose header was `given`; null: it had no acceptable one. */
export type NewRequestId = (given: string | null) => string;

const echoed = /^[0-9A-Za-z._~:/+=@-]{1,128}$/;
/** A key that a client puts there by mistake is neither echoed nor logged. */
const key = /svc_(?:live|feed)_/;

/** A source of request ids that differ from those of every other process. */
export function requestIds(): NewRequestId {
  const process = randomUUID().slice(0, 13);
  let count = 0;
  return (given) => {
    if (given !== null && echoed.test(given) && !key.test(given)) return given;
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}
