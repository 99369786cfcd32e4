// The tools of a model: five, all read-only. Each answers with the API's JSON, plus `rows_charged`; a refusal is its problem document,
// which `explain_problem` explains.
import { z } from 'zod';
import { gameStatuses } from '../../schemas/http/parameters.ts';
import { type ProblemType, problemTypes } from '../../schemas/http/problems.ts';
import { leagues } from '../../schemas/reference/leagues.ts';
import { fitted } from './fitted.ts';
import { lineMoves } from './line-moves.ts';
import { movesCursorForm } from './moves-cursor.ts';
import type { JsonDocument, Query, Read, Reader } from './reader.ts';
import { rowsOfFile } from './rows-of-file.ts';

/** `list`: the member of its answer that may be long. */
export type Tool<Input extends z.ZodObject = z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  input: Input;
  list: string | null;
  call(reader: Reader, input: z.infer<Input>): Promise<Read>;
};

const game_id = z
  .string()
  .regex(/^[0-9A-Za-z_-]{1,100}$/)
  .describe('As list_games gives it, such as MLB_STL_NYY_20260805.');
const selection_id = z.string().max(300).optional().describe('As odds gives it, such as moneyline/full/home.');
const date = z.iso.date().optional();

/** Keeps the type of a tool's input for its `call`. */
const tool = <Input extends z.ZodObject>(given: Tool<Input>): Tool => given as unknown as Tool;

export const tools: readonly Tool[] = [
  tool({
    name: 'list_games',
    title: 'List games',
    description: 'Games with their teams, start and status. Free of charge.',
    input: z.object({
      league: z.enum(leagues).optional(),
      status: z
        .string()
        .max(20)
        .optional()
        .describe(`One of ${gameStatuses.join(', ')}.`),
      team: z.string().max(200).optional().describe('Name, nickname, abbreviation or id.'),
      date_from: date.describe('Eastern date; together with date_to.'),
      date_to: date,
      limit: z.int().min(1).max(200).default(50).describe('Games at most; fewer where an answer would be too long.'),
      cursor: z.string().max(1_000).optional().describe('next_cursor of the answer before.'),
    }),
    list: 'data',
    call: listGames,
  }),
  tool({
    name: 'odds',
    title: 'Odds of a game',
    description:
      'What every sportsbook quotes for a game, side by side: price, line, state and age, the best price, implied probability and hold. Now, as of an instant of the log, or from the final file. Charged by the rows read: narrow it.',
    input: z.object({
      game_id,
      market: z.string().max(64).optional().describe('Such as moneyline, spread, total, player_points.'),
      period: z.string().max(64).optional().describe('Such as full, first_half, q1, p1, inning_1.'),
      operators: z.string().max(1_700).optional().describe('Codes of sportsbooks with commas between.'),
      best: z.boolean().default(false).describe('Of each selection only the sportsbook with the best price.'),
      at: z.string().max(40).optional().describe('RFC 3339 time: the odds as of then.'),
    }),
    list: 'selections',
    call: (reader, { game_id: id, ...query }) => reader.read(`/v1/games/${encodeURIComponent(id)}/odds`, query),
  }),
  tool({
    name: 'line_moves',
    title: 'Moves of lines',
    description:
      'Every change of the quotes of a game in log order, of one selection or sportsbook where that is given. Go on from `cursor` where `more` is true. Of a live game charged by the rows read, those that do not match too, each once a month. Of a settled game the final file is charged, whole; its other pages are free while this server has it, which keeps the eight read last. A file of more than `most_rows` rows is refused, free of charge, with its price.',
    input: z.object({
      game_id,
      selection_id,
      operator: z.string().max(32).optional().describe('Code of a sportsbook, such as DRAFTKINGS.'),
      cursor: z.string().regex(movesCursorForm).optional().describe('cursor of the answer before.'),
      most_rows: z
        .int()
        .min(1)
        .max(10_000_000)
        .default(2_000)
        .describe('Rows to read at most; also what a final file may cost.'),
    }),
    list: 'rows',
    call: lineMoves,
  }),
  tool({
    name: 'results',
    title: 'Results of a game',
    description:
      'How each market of a settled game was graded. Charged by all rows of the file; free while this server has it, which keeps the eight read last.',
    input: z.object({
      game_id,
      market: z.string().max(64).optional(),
      selection_id,
    }),
    list: 'rows',
    call: results,
  }),
  tool({
    name: 'explain_problem',
    title: 'Explain a problem',
    description: 'What a problem type of the service means, and what to do about it. Without a type: all of them.',
    input: z.object({
      type: z.string().max(200).optional().describe('The type of a problem document, or its last part.'),
    }),
    list: null,
    call: explainProblem,
  }),
];

/** No more games than fit into an answer, because the API's `next_cursor` is behind the last one that it gave. */
async function listGames(reader: Reader, query: Query & { limit: number }): Promise<Read> {
  for (let { limit } = query; ; ) {
    const read = await reader.read('/v1/games', { ...query, limit });
    if (read.kind !== 'document') return read;
    const { data, data_omitted: omitted } = fitted(shownOf(read), 'data');
    if (omitted === undefined || !Array.isArray(data) || limit === 1) return read;
    limit = Math.max(1, data.length);
  }
}

async function results(
  reader: Reader,
  asked: { game_id: string; market?: string | undefined; selection_id?: string | undefined },
): Promise<Read> {
  const file = await reader.file(`/v1/games/${encodeURIComponent(asked.game_id)}/market-results`, Infinity);
  if (file.kind !== 'file') return file;
  const rows = rowsOfFile(file.bytes).filter(
    ({ market, selection_id: id }) =>
      (asked.market === undefined || market === asked.market) &&
      (asked.selection_id === undefined || id === asked.selection_id),
  );
  return { kind: 'document', document: { game_id: asked.game_id, rows }, charged: file.charged };
}

async function explainProblem(_: Reader, { type }: { type?: string | undefined }): Promise<Read> {
  const types: Readonly<Record<string, ProblemType>> = problemTypes;
  const suffix = type?.split('/').at(-1);
  if (suffix === undefined) {
    const titles = Object.entries(types).map(([name, { title, statuses }]) => ({ type: name, title, statuses }));
    return { kind: 'document', document: { types: titles }, charged: 0 };
  }
  const found = Object.hasOwn(types, suffix) ? types[suffix] : undefined;
  if (found !== undefined) return { kind: 'document', document: { type: suffix, ...found }, charged: 0 };
  const detail = `no problem type ${suffix}; there are ${Object.keys(types).join(', ')}`;
  return { kind: 'refused', problem: { detail } };
}

/** A tool's answer as one JSON text, and whether it is a refusal. */
export function answerOf({ list }: Tool, read: Read): { text: string; isError: boolean } {
  if (read.kind === 'refused') return { text: JSON.stringify(read.problem), isError: true };
  if (read.kind === 'file') return { text: JSON.stringify({ detail: 'the API answered with a file' }), isError: true };
  const document = shownOf(read);
  return { text: JSON.stringify(list === null ? document : fitted(document, list)), isError: false };
}

function shownOf({ document, charged }: Extract<Read, { kind: 'document' }>): JsonDocument {
  return { ...document, rows_charged: charged };
}
