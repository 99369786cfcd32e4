import { parseCursor, type StreamCursor } from '../../core/msf/published/cursor.ts';
import { pollAfter } from '../../core/msf/published/poll-after.ts';
import { msfDatasets } from '../../core/msf/types.ts';
import type { PublishedRevision, ServedStream } from '../../core/ports/catalog/msf.ts';
import { isRefusal, type Refusal, refuse } from '../../http/refusal.ts';
import { changeListing as changeListingBody } from '../../schemas/http/msf.ts';
import {
  changesCursorParameter,
  changesLimitParameter,
  defaultChanges,
  untilRevisionParameter,
} from '../../schemas/http/msf-parameters.ts';
import { windowInWords } from '../access/window-in-words.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { weakEtagOf } from '../http/etag.ts';
import { bothForms, type MsfRequest } from '../msf/forms.ts';
import { judgeStream } from '../msf/judge-stream.ts';
import { type ChangesPage, changeListing, taggedFacts } from '../msf/manifests.ts';
import type { MsfReads } from '../msf/reads.ts';
import { cursorExpired, notYetAvailable, streamReset } from '../msf/refusals.ts';
import { type FollowedStream, nameOf } from '../msf/streams.ts';
import { refusalOfRevision } from '../msf/windows.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';

const query = {
  cursor: changesCursorParameter,
  limit: changesLimitParameter.optional(),
  until_revision: untilRevisionParameter.optional(),
};

export const changesRoutes = bothForms(
  { game: 'listChanges', league: 'listLeagueChanges' },
  {
    path: '/changes',
    summary: 'The revisions after a cursor, each with the files of its change.',
    details:
      "Apply the files of each revision in turn, and compare the state with its `snapshot_digest`. A page never splits a revision. To page to a fixed end, send the first page's `high_water_revision` as `until_revision` on the next pages. If the history window of the key ends before the head, the listing ends there.",
    query,
    ofLeague: 'This is the stream of the league itself, which only `injuries` has.',
    answers: {
      200: changeListingBody,
      404: ['not-yet-available'],
      410: ['stream-reset', 'cursor-expired'],
    },
    charge: 'free',
    cache: 'live',
    waits: true,

    /** A cursor cannot name an unknown dataset; the dataset check refuses that instead. */
    check({ cursor }, dataset) {
      const named = parseCursor(cursor);
      if (named === null) return 'cursor must be a cursor of a snapshot or of changes, verbatim';
      const unknown = !(msfDatasets as readonly string[]).includes(dataset);
      return unknown || named.dataset === dataset ? null : `cursor is one of ${named.dataset}`;
    },

    /** An epoch belongs to one stream: if this stream never had it, the cursor belongs to another. */
    checkCursor({ scope, dataset }, { cursor }, msf) {
      const named = parseCursor(cursor) as StreamCursor;
      if (named.scopeUuid !== scope.uuid) return 'cursor is one of another game or league';
      const name = nameOf({ scopeUuid: scope.uuid, dataset });
      return chainMaybeAsync(msf.streams.peek(name) ?? msf.streams.current(name), ({ stream }) => {
        if (stream === null || stream.epoch === named.epoch) return null;
        const last = msf.revisions.lastOfEpoch(stream, named.epoch);
        return last.then((known) => (known === null ? 'cursor names an epoch that this stream never had' : null));
      });
    },

    handle(request, msf, { answers }: { answers: AnswerCache }) {
      const { of, query, now } = request;
      return judgeStream(msf.streams, of, (followed) =>
        chainMaybeAsync(find(request, followed, msf), (found) => {
          if (isRefusal(found)) return found;
          const { stream, page } = found;
          const seconds = pollAfter(followed.game, now);
          const { epoch } = stream;
          const { after, highWater, revisions } = page;
          const last = revisions.at(-1);
          const document = answers.document(
            `${of.scope.kind} ${query.cursor} ${stream.version} ${revisions.length} ${highWater} ${seconds} ${of.scope.id} changes`,
            () => changeListing(of, stream, page, seconds),
            () => weakEtagOf([epoch, after, highWater, last === undefined ? null : taggedFacts(last)]),
          );
          // A listing whose mark is at or before the cursor has ended, whatever is published.
          const isWalked = (query.until_revision ?? after + 1) <= after;
          return last === undefined && !isWalked ? { nothingNew: document } : document;
        }),
      );
    },
  },
);

type Found = { stream: ServedStream; page: ChangesPage };
type Request = MsfRequest<'/changes', typeof query>;

/** The page after the cursor, if the stream still has it and the key may read all of it. */
function find(
  request: Request,
  { stream, game }: FollowedStream,
  msf: MsfReads,
): Found | Refusal | Promise<Found | Refusal> {
  const { of, now, window } = request;
  const { epoch, revision: after } = parseCursor(request.query.cursor) as StreamCursor;
  const head = stream?.head ?? null;
  if (stream === null || head === null) return notYetAvailable('Nothing is published yet.', game, now);
  if (epoch !== stream.epoch) return streamReset(of, stream.epoch);
  if (after > head.revision) return notYetAvailable('The revision of the cursor was never published.', game, now);
  if (after < stream.listedFrom - 1) return cursorExpired(of, epoch);
  return chainMaybeAsync(msf.windows.readableThrough(window, stream, head), (readable) => {
    if (readable === null) return cursorExpired(of, epoch);
    if (readable < stream.listedFrom) return nothingReadable(request);
    return pageOf(request, stream, after, readable, msf);
  });
}

/** 403: the window ended before the first listed revision. */
function nothingReadable({ key, window }: Request): Refusal {
  const detail = `No revision that is listed is of the history of tier ${key.tier}, which reads ${windowInWords(window)}.`;
  return refuse('history-restricted', { detail });
}

function pageOf(
  { of, key, query, window }: Request,
  stream: ServedStream,
  after: number,
  readable: number,
  msf: MsfReads,
): Found | Refusal | Promise<Found | Refusal> {
  const { scopeUuid, dataset, epoch } = stream;
  const highWater = Math.min(query.until_revision ?? readable, readable);
  const limit = query.limit ?? defaultChanges;
  const asked = { scopeUuid, dataset, epoch, after, through: highWater, limit };
  return chainMaybeAsync(msf.revisions.list(asked), (revisions: readonly PublishedRevision[]) => {
    // Revisions that were listed when the stream was read may have been dropped since.
    if (after < highWater && revisions[0]?.revision !== after + 1) return cursorExpired(of, epoch);
    for (const revision of revisions) {
      const refusal = refusalOfRevision(key, window, revision);
      if (refusal !== null) return refusal;
    }
    return { stream, page: { after, highWater, revisions } };
  });
}
