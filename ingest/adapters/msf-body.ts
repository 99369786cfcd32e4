// Adapts a pushed body of MSF (docs/revisions.md#observations): reads its bytes without losing a digit, splits it into elements by the
// rules of core/msf, and finds the bytes of refused parts. Never throws: bad bytes cost at most their own body. Independent of the sender
// and of games.
import { splittingBody } from '../../core/msf/bodies/body.ts';
import { readingReferences } from '../../core/msf/bodies/references.ts';
import { descriptorOf, gamePartsOf } from '../../core/msf/feeds/feeds.ts';
import type { Task } from '../../core/scheduling/task.ts';
import { parsingJsonBody } from './json-body.ts';
import { writingJson } from './json-text.ts';
import {
  type AdaptedMsfBody,
  deepBeside,
  type MsfElement,
  type MsfRoute,
  maxDepth,
  mayHaveSurrogates,
  refusedWhole,
  stampOf,
  writingReferences,
} from './msf-adapted.ts';
import { adaptEntries } from './msf-entries.ts';

/** The elements of a body, and its `bad-body` parts. A sound body of `odds_gamelines` has neither. */
export function* adaptMsfBody(bytes: Uint8Array, route: MsfRoute): Task<AdaptedMsfBody> {
  const { form } = descriptorOf(route.feed);
  return form.kind === 'entries' ? yield* adaptEntries(bytes, route, form) : yield* adaptOne(bytes, route);
}

/** Adapts a body that is at most one element. */
function* adaptOne(bytes: Uint8Array, route: MsfRoute): Task<AdaptedMsfBody> {
  const parsed = yield* parsingJsonBody(bytes, { depth: maxDepth });
  if (parsed.kind === 'malformed') return refusedWhole(bytes, { pointer: '', detail: parsed.detail });
  const { value: body, outline } = parsed;
  const { form } = descriptorOf(route.feed);
  const linesOf = form.kind === 'game-lines' ? form.list : null;
  const deep = deepBeside(outline, linesOf);
  if (deep !== null) return refusedWhole(bytes, { pointer: deep, detail: 'nests too deep' });
  const isUnicode = mayHaveSurrogates(bytes) ? {} : { isUnicode: true };
  const { observations, refusals } = yield* splittingBody({ ...route, body, ...isUnicode });
  const [problem] = refusals;
  const elements: MsfElement[] = [];
  for (const each of observations) {
    const text = yield* writingJson(each.element, outline.plainNumbers);
    const element = gamePartsOf(route.feed) === null ? null : each.element;
    elements.push({ ...each, element, pointer: each.game === null ? '' : '/game', text });
  }
  const references = problem === undefined ? yield* readingReferences(route.league, route.feed, body) : [];
  return {
    body: linesOf === null ? null : body,
    lastUpdatedOn: stampOf(body),
    elements,
    refused: problem === undefined ? [] : [{ ...problem, start: 0, end: bytes.length }],
    references: yield* writingReferences(references, outline.plainNumbers),
  };
}
