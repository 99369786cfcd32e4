import { beforeEverything, pageAfter, parseCursor } from '../../core/live/cursor.ts';
import { refuse } from '../../http/refusal.ts';
import { liveRows as liveRowsBody } from '../../schemas/http/live.ts';
import { defaultRowsPerPage, liveCursorParameter, rowsLimitParameter } from '../../schemas/http/parameters.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { jsonDocument } from '../http/json-document.ts';
import { type NothingNew, type PricedFile, route } from '../pipeline/route.ts';
import { judgeServed } from '../serving/live-answers.ts';
import type { RowRanges } from '../serving/row-ranges.ts';
import type { ServedGames } from '../serving/served-games.ts';

export const listRows = route({
  path: '/v1/games/:game_id/sportsbook-lines/rows',
  id: 'listRows',
  tag: 'Live lines',
  summary: 'The rows of the live log after a cursor, as JSON.',
  details:
    'One request, no Parquet. Send the `cursor` of the previous answer; without one you get the log from its beginning. An answer has rows of one segment, at most `limit`; if nothing is new, it has no rows and the same cursor. Each row is charged once per account and month: a read is charged like reading its segment up to the last returned row. Cursors are those of the segments listing.',
  key: 'required',
  game: 'identity',
  query: { cursor: liveCursorParameter.optional(), limit: rowsLimitParameter.optional() },
  answers: { 200: liveRowsBody, 404: ['not-found'], 409: ['live-cursor-reset'] },
  charge: 'live-rows',
  cache: 'revalidated',
  handle({ game, query }, { servedGames, ranges }: { servedGames: ServedGames; ranges: RowRanges }) {
    const { cursor: asked = '0:0', limit = defaultRowsPerPage } = query;
    const cursor = parseCursor(asked) ?? beforeEverything;
    const found = judgeServed(servedGames, game, (served) => {
      const page = pageAfter(served.state, cursor, limit);
      if (page.kind === 'refused')
        return refuse(page.code, {
          detail: 'The log was rebuilt and does not hold this cursor. Ask for the rows again without a cursor.',
          members: { game_id: game.gameId },
        });
      return { served, page };
    });
    return chainMaybeAsync(found, (found) => {
      if ('refused' in found) return found;
      const { served, page } = found;
      const { seq, from, to } = page;
      // If nothing is new, the cursor is returned exactly as sent.
      const answer =
        from === to
          ? jsonDocument({ rows: [], cursor: asked }, { cache: 'revalidated', keyed: true, rows: 0 })
          : ranges.document(served, page);
      const { uuid: gameUuid, gameId } = game;
      return chainMaybeAsync(answer, (file): PricedFile | NothingNew => {
        const rows = from === to ? 0 : to;
        const read = { kind: 'live', gameUuid, gameId, firstSeq: served.log.firstSeq, seq, rows } as const;
        return from === to ? { nothingNew: { file, read } } : { file, read };
      });
    });
  },
  watch: ({ game }, { servedGames }, moved) => servedGames.watch(game.uuid, moved),
});
