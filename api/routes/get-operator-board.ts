import type { ChargedRead } from '../../core/ports/ledger.ts';
import { refuse } from '../../http/refusal.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { route } from '../pipeline/route.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';
import { judgeServed } from '../serving/live-answers.ts';
import type { ServedGames } from '../serving/served-games.ts';

const operatorForm = /^[0-9A-Za-z_]{1,32}$/;

export const getOperatorBoard = route({
  path: '/v1/games/:game_id/sportsbook-lines/board/:operator',
  id: 'getOperatorBoard',
  tag: 'Live lines',
  summary: 'The current quotes of one operator (sportsbook).',
  details:
    'One row per selection: the segment columns and `last_changed_at`, `operator_observed_through`, `quote_state`. It is rewritten when a row or state of the operator changes; poll it with If-None-Match.',
  key: 'required',
  game: 'identity',
  query: {},
  answers: { 200: 'parquet', 404: ['not-found'] },
  charge: 'board-rows',
  cache: 'live',
  handle({ game, params }, { servedGames, answers }: { servedGames: ServedGames; answers: AnswerCache }) {
    // The form is tested first, because some letters beyond ASCII have ASCII capitals.
    const operator = operatorForm.test(params.operator) ? params.operator.toUpperCase() : null;
    return judgeServed(servedGames, game, ({ log }) => {
      const board = log.boards.find((file) => file.operator === operator);
      if (board !== undefined) {
        const { rows } = board;
        const read: ChargedRead = {
          kind: 'board',
          gameUuid: game.uuid,
          gameId: game.gameId,
          dataset: sportsbookLines.name,
          subject: board.operator,
          rows,
        };
        return { file: answers.file(board.file, rows, 'live'), read };
      }
      return refuse('not-found', {
        title: 'No board for this operator',
        detail: 'The game has no board file of this operator code.',
      });
    });
  },
  watch: ({ game }, { servedGames }, moved) => servedGames.watch(game.uuid, moved),
});
