// A push over HTTP: its headers and body read, adapted by the format of its route, accepted, answered. Unaware of formats and of the log.
import { everything } from '../../core/access/feed-grant.ts';
import type { Steps } from '../../core/steps.ts';
import type { AdaptedPush, PushContext } from '../adapters/adapted.ts';
import { acceptPush, type Push, type PushAnswer } from './accept-push.ts';
import { requireScope } from './feed-keys.ts';
import { giveBack } from './gathered-bytes.ts';
import { Problem } from './problem.ts';
import { type BodyForm, encodingOf, readBody, turnOf } from './read-body.ts';
import { type ListedRejections, membersOf } from './rejections.ts';
import type { HeldRoom } from './room.ts';
import type { Answer, Call, RouteTools } from './route.ts';

const idempotencyKeyForm = /^[\x21-\x7e]{1,255}$/;
/** Rejections that a body with too many of them still shows. */
const rejectionsShown = 100;

/** Accepts a push of quotes of the format that `adapt` reads. @throws Problem. */
export function answerPush(
  call: Call,
  tools: RouteTools,
  place: HeldRoom,
  form: BodyForm,
  adapt: (body: Uint8Array, context: PushContext) => Steps<AdaptedPush>,
): Promise<Answer> {
  return answerSent(call, tools, place, form, (sent) => {
    const observedAt = headerOf(call.request.headers['x-observed-at']);
    const mayBackfill = call.key?.scopes.includes('backfill') ?? false;
    const { source, receivedAt, may, idempotencyKey } = sent;
    const context = { source, receivedAt, may, mayBackfill, observedAt, idempotencyKey };
    return acceptPush(tools, { ...sent, adapt: () => adapt(sent.body, context) });
  });
}

/** Reads what was sent and answers with what `accept` makes of it. @throws Problem. */
export async function answerSent(
  call: Call,
  tools: RouteTools,
  place: HeldRoom,
  form: BodyForm,
  accept: (sent: Omit<Push, 'adapt'>) => Promise<PushAnswer>,
): Promise<Answer> {
  const { request, source } = call;
  requireOwnTime(call);
  const idempotencyKey = headerOf(request.headers['idempotency-key']);
  if (idempotencyKey !== null && !idempotencyKeyForm.test(idempotencyKey))
    throw new Problem('validation-error', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  const encoding = encodingOf(request.headers['content-encoding']);
  const { bytes, elements } = await readBody(call, { form, encoding }, place);
  const { share } = call;
  const may = call.key ?? everything;
  const sent = { source, turn: turnOf(call), receivedAt: tools.clock.now(), may, idempotencyKey };
  const push = { ...sent, body: bytes, elements, beyondShare: share.elements, use: share };
  try {
    return documentOf(await accept(push), share.lettersNotKept);
  } finally {
    giveBack(bytes);
  }
}

/** Asserts that the sender may tell a time of its own where it does. @throws Problem `forbidden`. */
export function requireOwnTime({ request, key, source }: Call): void {
  if (request.headers['x-observed-at'] !== undefined && key !== null)
    requireScope(key, 'backfill', 'X-Observed-At', source);
}

function documentOf(answer: PushAnswer, lettersNotKept: number): Answer {
  const refusals = (listed: ListedRejections) => ({
    ...membersOf(listed),
    ...(lettersNotKept === 0 ? {} : { letters_not_kept: lettersNotKept }),
  });
  switch (answer.kind) {
    case 'accepted': {
      const { receipt, accepted, duplicates } = answer;
      return { status: 202, document: { receipt, accepted, duplicates, ...refusals(answer) } };
    }
    case 'all-rejected':
      throw new Problem('validation-error', 'No record of the body is acceptable; rejected says why.', {
        members: refusals(answer),
      });
    case 'malformed':
      throw new Problem('validation-error', answer.detail);
    case 'too-many-records':
      throw new Problem('payload-too-large', `a push has at most ${answer.most} records; split it`);
    case 'too-many-refusals':
      throw new Problem('payload-too-large', `more than ${answer.most} refusals in one push; split it`, {
        members: { rejected: answer.rejected.slice(0, rejectionsShown) },
      });
    case 'beyond-share':
      throw answer.problem;
    case 'idempotency-conflict':
      throw new Problem('idempotency-conflict', 'The key was used with another body within 24 hours; use a new key.');
  }
}

/** A header field; repeated, its values are one text with commas, which no form here allows. */
export function headerOf(value: string | string[] | undefined): string | null {
  return value === undefined ? null : String(value);
}
