// A push over HTTP: reads its headers and body, adapts it by the format of its route, accepts it and answers. Independent of formats and of
// the log.
import { everything } from '../../core/access/feed-grant.ts';
import type { SentQuotes } from '../../core/ports/catalog/dead-letters.ts';
import { within } from '../../core/ports/tracer.ts';
import { sha256OfKey } from '../../core/quotes/record-id.ts';
import type { Task } from '../../core/scheduling/task.ts';
import { isRefusal, refuse } from '../../http/refusal.ts';
import type { AdaptedPush, PushContext } from '../adapters/adapted.ts';
import { acceptPush, type Push, type PushAnswer } from './accept-push.ts';
import { refusalOfScope } from './feed-keys.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import { giveBack } from './gathered-bytes.ts';
import type { Judging } from './judge-quotes.ts';
import { type ListedRejections, membersOf, membersOfElements } from './listings.ts';
import { type BodyForm, bodyForm, encodingOf, readBody, schedulingKeyOf } from './read-body.ts';
import type { HeldRoom } from './room.ts';
import type { Answer, Call, RouteTools } from './route.ts';

const idempotencyKeyForm = /^[\x21-\x7e]{1,255}$/;
/** Rejections shown for a body that has too many of them. */
const rejectionsShown = 100;

/** Accepts a push of quotes in the `format` that `adapt` reads, or only validates it. */
export async function answerPush(
  call: Call,
  tools: RouteTools,
  place: HeldRoom,
  forms: readonly BodyForm[],
  format: SentQuotes['format'],
  adapt: (body: Uint8Array, context: PushContext, form: BodyForm) => Task<AdaptedPush>,
): Promise<Answer | GatewayRefusal> {
  const judging = judgingOf(call.query);
  if (isRefusal(judging)) return judging;
  return answerSent(call, tools, place, forms, (sent, form) => {
    const observedAt = headerOf(call.request.headers['x-observed-at']);
    const mayBackfill = call.key?.scopes.includes('backfill') ?? false;
    const { source, receivedAt, may, idempotencyKey } = sent;
    const { strict } = judging;
    const context = { source, receivedAt, may, mayBackfill, observedAt, idempotencyKey, strict };
    const keySha256 = idempotencyKey === null ? null : sha256OfKey(idempotencyKey);
    const asked = strict ? ({ strict } as const) : {};
    const how = { format, key: call.key?.id ?? null, mayBackfill, observedAt, keySha256, ...asked };
    return acceptPush(tools, { ...sent, judging, sent: how, adapt: () => adapt(sent.body, context, form) });
  });
}

/** The query parameters that say how a push of quotes is checked. */
export const judgingParameters = ['strict', 'validate'] as const;

function judgingOf(query: Call['query']): Judging | GatewayRefusal {
  const wrong = judgingParameters.find((name) => !['true', 'false', undefined].includes(query[name]));
  if (wrong !== undefined) return refuse('validation-error', { detail: `${wrong} must be true or false` });
  return { strict: query.strict === 'true', validate: query.validate === 'true' };
}

/** Reads the body, in one of `forms`, and answers with the result of `accept`. */
export async function answerSent(
  call: Call,
  tools: RouteTools,
  place: HeldRoom,
  forms: readonly BodyForm[],
  accept: (sent: Omit<Push, 'adapt'>, form: BodyForm) => Promise<PushAnswer>,
): Promise<Answer | GatewayRefusal> {
  const { request, source, share } = call;
  const form = bodyForm(request.headers['content-type'], forms);
  if (isRefusal(form)) return form;
  const untimely = refusalOfOwnTime(call);
  if (untimely !== null) return untimely;
  const idempotencyKey = headerOf(request.headers['idempotency-key']);
  if (idempotencyKey !== null && !idempotencyKeyForm.test(idempotencyKey))
    return refuse('validation-error', { detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters' });
  const encoding = encodingOf(request.headers['content-encoding']);
  if (isRefusal(encoding)) return encoding;
  const read = await readBody(call, { form, encoding }, place, tools.scheduler);
  if (isRefusal(read)) return read;
  const { bytes, elements } = read;
  const may = call.key ?? everything;
  const sent = { source, schedulingKey: schedulingKeyOf(call), receivedAt: tools.clock.now(), may, idempotencyKey };
  const span = call.span.child('accept', 'internal');
  const push = { ...sent, body: bytes, elements, beyondShare: share.elements, use: share, span };
  try {
    const answer = await within(span, () => tools.pushConcurrency.run(push.schedulingKey, () => accept(push, form)));
    if (answer.kind === 'accepted') noteAccepted(call, tools, answer.receipt);
    return documentOf(answer, share.lettersNotKept);
  } finally {
    giveBack(bytes);
  }
}

/** Ties the request to its receipt, in the log and in its trace. */
function noteAccepted({ id, span }: Call, { log }: RouteTools, receipt: string): void {
  span.set({ 'sds.receipt': receipt });
  log.debug('push accepted', { request_id: id, receipt, ...span.fields });
}

/** `forbidden` if the sender gives a time of its own without permission. */
export function refusalOfOwnTime({ request, key, source }: Call): GatewayRefusal | null {
  return request.headers['x-observed-at'] === undefined || key === null
    ? null
    : refusalOfScope(key, 'backfill', 'X-Observed-At', source);
}

function documentOf(answer: PushAnswer, lettersNotKept: number): Answer | GatewayRefusal {
  const refusals = (listed: ListedRejections) => ({
    ...membersOf(listed),
    ...(lettersNotKept === 0 ? {} : { letters_not_kept: lettersNotKept }),
  });
  switch (answer.kind) {
    case 'accepted': {
      const { receipt, accepted, duplicates } = answer;
      const { games = null, gamesMore = 0, warnings = [], warningsMore = 0 } = answer;
      const named = games === null ? {} : membersOfElements({ games, gamesMore, warnings, warningsMore });
      return { status: 202, document: { receipt, accepted, duplicates, ...refusals(answer), ...named } };
    }
    case 'judged': {
      const { accepted } = answer;
      const document = { receipt: null, accepted, duplicates: 0, ...refusals(answer), ...membersOfElements(answer) };
      return { status: 200, document };
    }
    case 'all-rejected':
      return refuse('validation-error', {
        detail: 'No record of the body is acceptable; rejected says why.',
        members: refusals(answer),
      });
    case 'malformed':
      return refuse('validation-error', { detail: answer.detail });
    case 'too-many-records':
      return refuse('payload-too-large', { detail: `a push has at most ${answer.most} records; split it` });
    case 'too-many-refusals':
      return refuse('payload-too-large', {
        detail: `more than ${answer.most} refusals in one push; split it`,
        members: { rejected: answer.rejected.slice(0, rejectionsShown) },
      });
    case 'beyond-share':
      return answer.refusal;
    case 'idempotency-conflict':
      return refuse('idempotency-conflict', {
        detail: 'The key was used with another body within 24 hours; use a new key.',
      });
  }
}

/** A header field; repeated values are joined with commas, which no form here allows. */
export function headerOf(value: string | string[] | undefined): string | null {
  return value === undefined ? null : String(value);
}
