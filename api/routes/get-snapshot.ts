import { pollAfter } from '../../core/msf/published/poll-after.ts';
import type { KeptRevision, ServedStream } from '../../core/ports/catalog/msf.ts';
import { isRefusal, type Refusal } from '../../http/refusal.ts';
import { snapshotManifest as snapshotManifestBody } from '../../schemas/http/msf.ts';
import { atRevisionParameter, epochParameter } from '../../schemas/http/msf-parameters.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { weakEtagOf } from '../http/etag.ts';
import { bothForms, type MsfRequest } from '../msf/forms.ts';
import { judgeStream } from '../msf/judge-stream.ts';
import { snapshotManifest, taggedFacts } from '../msf/manifests.ts';
import type { MsfReads } from '../msf/reads.ts';
import { notRetained, notYetAvailable } from '../msf/refusals.ts';
import type { FollowedStream } from '../msf/streams.ts';
import { refusalOfRevision } from '../msf/windows.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';

const query = { at_revision: atRevisionParameter.optional(), epoch: epochParameter.optional() };

export const snapshotRoutes = bothForms(
  { game: 'getSnapshot', league: 'getLeagueSnapshot' },
  {
    path: '/snapshot',
    summary: 'The state of a dataset after its newest revision, or after the requested one.',
    details:
      'Fetch every file of `files`, then follow complete revisions from `cursor`. Ask again after `poll_after` seconds; with If-None-Match an unchanged state is free. The ETag covers epoch, revision, status and coverage, but not freshness, which changes with every pull.',
    query,
    ofLeague: 'This is the stream of the league itself, which only `injuries` has.',
    answers: { 200: snapshotManifestBody, 404: ['not-found', 'not-yet-available'] },
    charge: 'free',
    cache: 'live',
    check: ({ at_revision, epoch }) =>
      (at_revision === undefined) === (epoch === undefined)
        ? null
        : 'at_revision and epoch are given together or not at all',
    handle(request, msf, { answers }: { answers: AnswerCache }) {
      const { of, now } = request;
      return judgeStream(msf.streams, of, (followed) =>
        chainMaybeAsync(find(request, followed, msf), (found) => {
          if (isRefusal(found)) return found;
          const { stream, revision } = found;
          const seconds = pollAfter(followed.game, now);
          return answers.document(
            `${of.scope.kind} ${of.scope.id} ${of.dataset} ${revision.epoch}/${revision.revision} ${stream.version} ${seconds} snapshot`,
            () => snapshotManifest(of, stream, revision, seconds),
            () => weakEtagOf(taggedFacts(revision)),
          );
        }),
      );
    },
  },
);

type Found = { stream: ServedStream; revision: KeptRevision };
type Request = MsfRequest<'/snapshot', typeof query>;

/** The revision that the request names, if the key may read it. */
function find(request: Request, followed: FollowedStream, msf: MsfReads): Found | Refusal | Promise<Found | Refusal> {
  const { key, window } = request;
  const { stream } = followed;
  if (stream === null || stream.head === null) return notYet(request, followed, 'Nothing is published yet.');
  return chainMaybeAsync(revisionOf(request, { ...followed, stream }, stream.head, msf), (revision) => {
    if (isRefusal(revision)) return revision;
    return refusalOfRevision(key, window, revision) ?? { stream, revision };
  });
}

function revisionOf(
  request: Request,
  followed: FollowedStream & { stream: ServedStream },
  head: NonNullable<ServedStream['head']>,
  msf: MsfReads,
): KeptRevision | Refusal | Promise<KeptRevision | Refusal> {
  const { of, query } = request;
  const { stream } = followed;
  const { at_revision: asked = head.revision, epoch = stream.epoch } = query;
  const never = 'This revision was never published.';
  if (epoch !== stream.epoch) {
    const last = msf.revisions.lastOfEpoch(stream, epoch);
    return last.then((known) => (asked <= (known ?? 0) ? notRetained(of) : notYet(request, followed, never)));
  }
  if (asked > head.revision) return notYet(request, followed, never);
  if (asked === head.revision) return { ...head, publishedAt: stream.publishedAt };
  if (asked < stream.listedFrom) return notRetained(of);
  return chainMaybeAsync(msf.revisions.one(stream, epoch, asked), (revision) => revision ?? notRetained(of));
}

function notYet({ now }: Request, { game }: FollowedStream, detail: string): Refusal {
  return notYetAvailable(detail, game, now);
}
