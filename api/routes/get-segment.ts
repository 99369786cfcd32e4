import { lookUpSegment, parseRows, parseSeq } from '../../core/live/segment-lookup.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import { isRefusal, type Refusal, refuse } from '../../http/refusal.ts';
import { fromRowParameter, rowsParameter } from '../../schemas/http/parameters.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import type { Representation } from '../http/answer.ts';
import { type PricedFile, route } from '../pipeline/route.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';
import type { GameIdentity } from '../serving/game-directory.ts';
import type { KeptVersions } from '../serving/kept-versions.ts';
import { judgeServed } from '../serving/live-answers.ts';
import type { RowRanges } from '../serving/row-ranges.ts';
import { segmentFile } from '../serving/segment-file.ts';
import type { LiveVersion, ServedGames } from '../serving/served-games.ts';

type Needs = { servedGames: ServedGames; kept: KeptVersions; answers: AnswerCache; ranges: RowRanges };

export const getSegment = route({
  path: '/v1/games/:game_id/sportsbook-lines/segments/:seq',
  id: 'getSegment',
  tag: 'Live lines',
  summary: 'One segment of the live log.',
  details:
    'Fetch the URL as it was listed, with its `rows`. The newest segment grows in place: its earlier rows never change. Each row is charged once per account and month. If you also send `from_row`, the file has only the rows from `from_row` (inclusive) to `rows` (exclusive): what a follower needs of a segment that has grown. The charge is the same as without it.',
  key: 'required',
  game: 'identity',
  query: { rows: rowsParameter.optional(), from_row: fromRowParameter.optional() },
  answers: { 200: 'parquet', 404: ['not-found'], 409: ['live-segment-behind'] },
  charge: 'live-rows',
  cache: 'live',
  check({ rows, from_row: from }) {
    if (from === undefined) return null;
    if (rows === undefined) return 'from_row is given together with rows';
    return from < Number(rows) ? null : 'from_row must be below rows';
  },
  handle({ game, params, query }, { servedGames, kept, answers, ranges }: Needs) {
    const seq = parseSeq(params.seq);
    const rows = query.rows === undefined ? null : parseRows(query.rows);
    const found = judgeServed(servedGames, game, (served) => look(served, seq, rows, game.gameId));
    return chainMaybeAsync(found, (found) => {
      if (isRefusal(found)) return found;
      if (rows !== null && query.from_row !== undefined) {
        const range = { seq: found.seq, from: query.from_row, to: rows };
        return chainMaybeAsync(ranges.file(found.served, range), (file) => priced(game, found, rows, file));
      }
      const whole = () => {
        // Only an answer that never changes may be stored for long: a closed segment with its full row count.
        const lasting = found.closed && rows === found.rows;
        return priced(game, found, found.rows, answers.file(found.file, found.rows, lasting ? 'immutable' : 'live'));
      };
      if (rows === null || rows >= found.rows) return whole();
      // The segment has grown since it was listed: serve the promised version while it is kept.
      return chainMaybeAsync(kept.find(found.served, found.seq, rows), (version) =>
        version !== null && version.rows < found.rows
          ? priced(game, found, version.rows, answers.file(version.file, version.rows, 'live'))
          : whole(),
      );
    });
  },
});

/** The served rows are charged; they may be more than requested. */
function priced(
  { uuid, gameId }: GameIdentity,
  { served, seq }: Found,
  rows: number,
  file: Representation,
): PricedFile {
  return { file, read: { kind: 'live', gameUuid: uuid, gameId, firstSeq: served.log.firstSeq, seq, rows } };
}

type Found = { served: LiveVersion; seq: number; rows: number; closed: boolean; file: FileRef };

/** docs/interface.md#segment. */
function look(served: LiveVersion, seq: number | null, rows: number | null, gameId: string): Found | Refusal {
  const answer = seq === null ? { kind: 'not-found' as const } : lookUpSegment(served.state, seq, rows);
  switch (answer.kind) {
    case 'serve':
      return { served, seq: answer.segment.seq, rows: answer.segment.rows, ...segmentFile(served, answer.segment.seq) };
    case 'behind':
      return refuse(answer.code, {
        detail: `The segment has fewer than ${rows} rows: the log was rebuilt. List the segments again without a cursor.`,
        members: { game_id: gameId, seq, rows },
      });
    case 'not-found':
      return refuse('not-found', {
        title: 'No such segment',
        detail: 'The live log of this game has no segment of this seq.',
      });
  }
}
