// Splits the bytes of a connection into answers, and checks failures: each must be a problem document of the catalogue
// that reveals no internals.
import assert from 'node:assert/strict';
import { type ProblemCode, problemTypes } from '../../../schemas/http/problems.ts';
import { problem } from './problem.ts';

export type Answer = { status: number; headers: Map<string, string>; body: string };

/** The answers that a connection received; each must be complete. */
export function answersIn(text: string, heads: readonly boolean[] = []): Answer[] {
  const answers: Answer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    assert.notEqual(end, -1, `no complete head in ${JSON.stringify(rest.slice(0, 200))}`);
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    assert.ok(status, line);
    const headers = new Map(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    );
    const bodiless = heads[answers.length] === true || status === 304 || status === 204 || status < 200;
    const length = bodiless ? 0 : Number(headers.get('content-length') ?? 'NaN');
    const body = rest.slice(end + 4, end + 4 + length);
    assert.equal(body.length, length, 'the length of the body');
    answers.push({ status, headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problemTypes, text);
}

/** Checks that a failure is a problem document of the catalogue and reveals no internals. */
export function assertHonest({ status, headers, body }: Answer): void {
  if (status < 400) return;
  assert.equal(headers.get('content-type'), 'application/problem+json', body);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.ok(headers.get('x-request-id'));
  assert.equal(headers.get('server'), undefined);
  assert.equal(headers.get('x-powered-by'), undefined);
  const document = problem.parse(JSON.parse(body));
  const suffix = document.type.replace('https://api.example.test/problems/', '');
  assert.ok(isProblemCode(suffix), document.type);
  assert.equal(document.status, status);
  assert.ok((problemTypes[suffix].statuses as readonly number[]).includes(status));
  assert.doesNotMatch(body, /node:|fastify|FST_|HPE_|ERR_|\.ts|\.js|stack|select |svc_live_/i);
}
