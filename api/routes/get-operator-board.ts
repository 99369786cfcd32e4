import { judgeServed } from '../live-answers.ts';
import { refuse } from '../refusal.ts';
import { route } from '../route.ts';

const operatorForm = /^[0-9A-Za-z_]{1,32}$/;

export const getOperatorBoard = route({
  path: '/v1/games/:game_id/sportsbook-lines/board/:operator',
  summary: 'What one operator is currently believed to be quoting.',
  key: 'required',
  game: 'identity',
  query: {},
  answers: { 200: 'parquet', 404: ['not-found'] },
  charge: 'board-rows',
  cache: 'live',
  handle({ game, params }, { serving, edge }) {
    // Some letters beyond ASCII have capitals within it.
    const operator = operatorForm.test(params.operator) ? params.operator.toUpperCase() : null;
    return judgeServed(serving, game, ({ log }) => {
      const board = log.boards.find((file) => file.operator === operator);
      if (board !== undefined) return edge.file(board.file, board.rows, 'live');
      return refuse('not-found', {
        title: 'No board for this operator',
        detail: 'The game has no board file of this operator code.',
      });
    });
  },
});
