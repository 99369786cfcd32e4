// Finds the archive that a path names, if it belongs to that game or league and the key may read it: its game, and the revisions that the
// request reads, must be within the key's history, in both forms of the route (docs/interface.md#history-windows).
import { type HistoryWindow, isWithin } from '../../core/access/history-window.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import { easternDate } from '../../core/time/eastern-date.ts';
import { isRefusal, type Refusal, refuse } from '../../http/refusal.ts';
import { windowInWords } from '../access/window-in-words.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import type { GameDirectory } from '../serving/game-directory.ts';
import type { ServedArchive } from './archives.ts';
import type { MsfReads } from './reads.ts';
import { noSuchArchive, type StreamOf } from './refusals.ts';

type Asked = {
  of: StreamOf;
  key: ApiKey;
  window: HistoryWindow;
  params: { readonly archive_id: string; readonly revision?: string };
};
type Found = ServedArchive | Refusal;

const idForm = /^[A-Za-z0-9_-]{1,128}$/;

/** With a revision in the path, only that revision is checked; otherwise all of them, because a document is read whole or not at all. */
export function findArchive(asked: Asked, msf: MsfReads, directory: GameDirectory): Found | Promise<Found> {
  const { of, params } = asked;
  if (!idForm.test(params.archive_id)) return noSuchArchive();
  return chainMaybeAsync(msf.archives.one(params.archive_id, of.dataset), (found) => {
    if (found === null || !isOf(found, of)) return noSuchArchive();
    return chainMaybeAsync(
      refusalOfGame(asked, found, directory),
      (refused) => refused ?? refusalOfRevisions(asked, found) ?? found,
    );
  });
}

function isOf({ archive }: ServedArchive, { scope }: StreamOf): boolean {
  return scope.kind === 'league' ? archive.league === scope.league : archive.scopeUuid === scope.uuid;
}

/** Below a game, the history check has already checked the game. */
function refusalOfGame(
  { of, key, window }: Asked,
  { archive }: ServedArchive,
  directory: GameDirectory,
): Refusal | null | Promise<Refusal | null> {
  if (of.scope.kind === 'game' || archive.scopeUuid === of.scope.uuid || window.kind === 'all') return null;
  const game = directory.remembered(archive.scopeUuid) ?? directory.record(archive.scopeUuid);
  return chainMaybeAsync(game, (known) => {
    if (known === null) throw new Error(`archive ${archive.id} is of a game that is not there`);
    return isWithin(window, known.gameDate) ? null : restricted(`The game is of ${known.gameDate}`, key, window);
  });
}

function refusalOfRevisions({ key, window, params }: Asked, { sourceUpdatedAt }: ServedArchive): Refusal | null {
  if (window.kind === 'all') return null;
  for (const [revision, time] of sourceUpdatedAt) {
    const date = easternDate(time);
    if (params.revision !== undefined && params.revision !== String(revision)) continue;
    if (!isWithin(window, date)) return restricted(`The archive holds revision ${revision}, of ${date}`, key, window);
  }
  return null;
}

function restricted(fact: string, { tier }: ApiKey, window: HistoryWindow): Refusal {
  return refuse('history-restricted', { detail: `${fact}; tier ${tier} reads ${windowInWords(window)}.` });
}

export function isFound(found: Found): found is ServedArchive {
  return !isRefusal(found);
}
