// Players that quotes name by an id of the source's own are resolved at ingest, so that the log carries the answer
// (docs/quotes.md#player-ids). One that cannot be resolved stays as it is, and is null to the fold.
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import type { ReferenceCatalog } from '../../core/ports/catalog/reference.ts';
import { nameOf } from '../../core/reference/identify.ts';
import type { Observation, RawQuote } from '../../schemas/events/quotes.ts';

type OfGame = { observation: Observation; game: { league: string } };

/** Puts the canonical ids of players in place of the source's own. */
export async function resolvePlayers(
  reference: Pick<ReferenceCatalog, 'playersCalled'>,
  source: string,
  accepted: readonly OfGame[],
): Promise<void> {
  const named = accepted.flatMap(({ observation, game: { league } }) =>
    observation.operators.flatMap(({ quotes }) =>
      quotes.filter(hasOwnId).map((quote) => ({ quote, league, sourceId: quote.player_id })),
    ),
  );
  if (named.length === 0) return;
  const ids = await reference.playersCalled(source, named);
  for (const { quote, league, sourceId } of named) {
    quote.player_id = ids.get(nameOf('player', league, sourceId)) ?? sourceId;
  }
}

function hasOwnId(quote: RawQuote): quote is RawQuote & { player_id: string } {
  return quote.player_id !== null && !isCanonicalUuid(quote.player_id);
}
