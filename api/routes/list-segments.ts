import { formatCursor, listAfter, parseCursor } from '../../core/live/cursor.ts';
import { refuse } from '../../http/refusal.ts';
import { liveManifest as liveManifestBody } from '../../schemas/http/live.ts';
import { liveCursorParameter } from '../../schemas/http/parameters.ts';
import { route } from '../pipeline/route.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';
import { judgeServed } from '../serving/live-answers.ts';
import { liveManifest } from '../serving/live-manifests.ts';
import type { ServedGames } from '../serving/served-games.ts';

export const listSegments = route({
  path: '/v1/games/:game_id/sportsbook-lines/segments',
  id: 'listSegments',
  tag: 'Live lines',
  summary: "The segments of a game's live log after a cursor.",
  details:
    'Without a cursor: all segments. With the `cursor` of the previous answer: the segments after it, and its own segment with `from_row` if it has grown. If nothing is new, you get the same cursor back. At most 512 segments are listed at once: `segments_omitted` is how many more follow; send the returned `cursor` to get them.',
  key: 'required',
  game: 'identity',
  query: { cursor: liveCursorParameter.optional() },
  answers: { 200: liveManifestBody, 404: ['not-found'], 409: ['live-cursor-reset'] },
  charge: 'free',
  cache: 'live',
  handle({ game, query }, { servedGames, answers }: { servedGames: ServedGames; answers: AnswerCache }) {
    const asked = query.cursor ?? null;
    const cursor = asked === null ? null : parseCursor(asked);
    return judgeServed(servedGames, game, ({ key, log, state }) => {
      const listing = listAfter(state, cursor);
      if (listing.kind === 'refused')
        return refuse(listing.code, {
          detail: 'The log was rebuilt and does not hold this cursor. List the segments again without a cursor.',
          members: { game_id: game.gameId },
        });
      const document = answers.document(`${key} segments ${game.gameId} ${asked}`, () => {
        // If nothing is new, the cursor is returned exactly as sent.
        const after = listing.cursor === cursor ? (asked as string) : formatCursor(listing.cursor);
        return liveManifest(game.gameId, log, listing, after);
      });
      return listing.segments.length === 0 ? { nothingNew: document } : document;
    });
  },
  watch: ({ game }, { servedGames }, moved) => servedGames.watch(game.uuid, moved),
});
