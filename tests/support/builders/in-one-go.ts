// Runs tasks of the product to their end at once. The product runs them in slices, so that a large body does not block
// its process.
import type { PushGrant } from '../../../core/access/feed-grant.ts';
import { canonicalSha256 } from '../../../core/json/canonical.ts';
import { scanningJson } from '../../../core/json/scan.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json/value.ts';
import { applyingRecord } from '../../../core/live/fold.ts';
import { splittingBody } from '../../../core/msf/bodies/body.ts';
import { elementOf } from '../../../core/msf/bodies/element.ts';
import { injuriesOfGames, type NamedTeams } from '../../../core/msf/bodies/injuries.ts';
import { readingReferences } from '../../../core/msf/bodies/references.ts';
import type { FileMetadata } from '../../../core/parquet/footer.ts';
import { normalisingObservation } from '../../../core/quotes/normalise-observation.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import type { AdaptedElement } from '../../../ingest/adapters/adapted.ts';
import { type DecidedElement, deciding } from '../../../ingest/adapters/decide-elements.ts';
import { encodingParquet } from '../../../platform/parquet/encode.ts';
import type { Dataset, RowOf } from '../../../schemas/datasets/column.ts';
import type { League } from '../../../schemas/reference/leagues.ts';

export const scanJson = (...given: Parameters<typeof scanningJson>) => runToEnd(scanningJson(...given));
export const applyRecord = (...given: Parameters<typeof applyingRecord>) => runToEnd(applyingRecord(...given));
export const splitBody = (...given: Parameters<typeof splittingBody>) => runToEnd(splittingBody(...given));
export const referencesOf = (...given: Parameters<typeof readingReferences>) => runToEnd(readingReferences(...given));
export const normaliseObservation = (...given: Parameters<typeof normalisingObservation>) =>
  runToEnd(normalisingObservation(...given));

export function decideElements<Game>(
  elements: readonly AdaptedElement[],
  answers: Parameters<typeof deciding<Game>>[1],
  may: PushGrant,
): DecidedElement<Game>[] {
  return runToEnd(deciding(elements, answers, may));
}

export function encodeParquet<D extends Dataset>(
  dataset: D,
  rows: readonly RowOf<D>[],
  metadata: FileMetadata,
  like: readonly RowOf<D>[] | null = null,
): Uint8Array {
  return runToEnd(encodingParquet(dataset, rows, metadata, like));
}

/** docs/revisions.md#elements: the hash of the element's RFC 8785 form without `lastUpdatedOn` and `references`. */
export function sourceRevision(element: JsonValue): string {
  return `sha256:${canonicalSha256(isJsonObject(element) ? elementOf(element) : element)}`;
}

export function injuriesOfGame(
  leagueElement: JsonObject,
  league: League,
  homeTeamId: string,
  awayTeamId: string,
  named: NamedTeams = new Map(),
): JsonObject {
  const entries = injuriesOfGames(leagueElement, league, named)(homeTeamId, awayTeamId);
  return elementOf(leagueElement, 'players', entries);
}
