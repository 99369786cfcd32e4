// Resolves players that quotes name by the source's own id at ingest, so that the log has the result (docs/quotes.md#player-ids). An
// unresolvable id stays as it is, and the fold treats it as null.
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import type { ReferenceCatalog } from '../../core/ports/catalog/reference.ts';
import { nameOf } from '../../core/reference/identify.ts';
import type { Observation, RawQuote } from '../../schemas/events/quotes.ts';

type OfGame = { observation: Observation; game: { league: string } };

/** Replaces the source's own player ids with canonical ones. */
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
