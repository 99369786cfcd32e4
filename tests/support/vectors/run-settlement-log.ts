// Runs a case of form `log` through a whole service: observations are pushed source-timed, statuses and schedules as
// MSF bodies, ticks through their route. The resulting game is read over HTTP.
import assert from 'node:assert/strict';
import { closingLines } from '../../../schemas/datasets/closing-lines.ts';
import { finalOf } from '../editions/final-of-api.ts';
import { later, type SettlementStage } from '../editions/settlement-stage.ts';
import { boxscore, eventGame, gameObject, lineupOf, oddsApiEvent, quoteOf } from '../editions/staged-bodies.ts';
import { playerOf, type StagedGame } from '../editions/staged-game.ts';
import { inNormalForm, type LogGiven, shown } from '../folds/closed-log.ts';
import { timeOf, type VectorRecord } from '../folds/settlement-log.ts';
import { closingColumns } from './settlement-vectors.ts';

export type LogCase = {
  name: string;
  why: string;
  given: LogGiven;
  then: { columns?: readonly string[]; rows?: readonly (readonly unknown[])[] } & Record<string, unknown>;
};

/** MSF's two statuses for one of ours. No body can express a status that is missing here. */
const msfStatuses: Record<string, { playedStatus: string; scheduleStatus?: string }> = {
  POSTPONED: { playedStatus: 'UNPLAYED', scheduleStatus: 'POSTPONED' },
  STARTED: { playedStatus: 'LIVE' },
  COMPLETED: { playedStatus: 'COMPLETED' },
};

class PlayedLog {
  closedBy: number | null = null;
  readonly refused: number[] = [];
  readonly #owners = new Map<string, string>();
  readonly #stage: SettlementStage;
  readonly #game: StagedGame;
  /** The newest start from the game's first source. */
  #start: string;
  /**
   * `direct` once a status has gone to the topic: MSF has no move back from COMPLETED, and does not know of records
   * written without it.
   */
  #statuses: 'msf' | 'direct' = 'msf';

  constructor(stage: SettlementStage, game: StagedGame) {
    [this.#stage, this.#game, this.#start] = [stage, game, game.start];
  }

  async play({ records, lineup }: LogGiven): Promise<void> {
    for (const [index, record] of records.entries()) {
      if (await this.#put(record, index)) this.refused.push(index);
      if (this.closedBy === null && (await this.#stage.isClosed(this.#game))) this.closedBy = index;
    }
    if (lineup !== undefined)
      await this.#stage.pushMsf(this.#game, 'lineup', lineupOf(this.#game, lineup), this.#start);
    if (this.closedBy === null) await this.#stage.settle(this.#game);
    await this.#stage.built(this.#game);
  }

  /** Puts a record; answers whether it was refused because the game is closed. */
  async #put(record: VectorRecord, index: number): Promise<boolean> {
    const [stage, game] = [this.#stage, this.#game];
    if (record.time !== undefined) return this.#observe(record, record.time);
    if (record.tick !== undefined) await stage.tick(game.source, record.tick);
    if (record.status !== undefined) await this.#noteStatus(record.status, record.at as string);
    if (record.settle === true) await stage.settle(game);
    if (record.schedule !== undefined) {
      const games = [
        { schedule: gameObject(game, { playedStatus: 'UNPLAYED', startTime: record.schedule }), score: null },
      ];
      await stage.pushMsf(game, 'games', { games }, later(game.start, index));
    }
    return false;
  }

  async #noteStatus(status: string, at: string): Promise<void> {
    const msfStatus = msfStatuses[status];
    if (msfStatus === undefined) this.#statuses = 'direct';
    if (msfStatus === undefined || this.#statuses === 'direct')
      return this.#stage.direct(this.#game, { status: { status, at: timeOf(at) } });
    if (status === 'COMPLETED') this.#statuses = 'direct';
    await this.#stage.pushMsf(this.#game, 'boxscore', boxscore(this.#game, msfStatus), at);
  }

  /** Gives an operator that two sources push to the later one, as `sds sources assign` does. */
  async #own(operator: string, source: string): Promise<void> {
    const owner = this.#owners.get(operator) ?? source;
    this.#owners.set(operator, source);
    if (owner !== source) await this.#stage.direct(this.#game, { owner: { operator, owner_source: source } });
  }

  async #observe(record: VectorRecord, time: string): Promise<boolean> {
    const { rows = [], source = 'feed', start = null, told_in_play: inPlay } = record;
    const game = this.#game;
    if (start !== null) this.#start = start;
    const pushedBy = source === 'feed' ? game.source : `${game.source}-${source}`;
    const headers = { 'x-observed-at': time };
    const operators = [...new Set(rows.map(([operator]) => operator))];
    for (const operator of operators) await this.#own(operator, pushedBy);
    const isImage =
      operators.length > 1 && rows.every(([, id, , , state]) => id === 'moneyline/full/home' && state === 'open');
    if (isImage) {
      // One record with several operators, which cannot be a native event.
      const prices = Object.fromEntries(rows.map(([operator, , , american]) => [operator, american as number]));
      const image = oddsApiEvent(game, this.#start, prices);
      return isSettled((await this.#stage.push(pushedBy, 'the-odds-api-v4', [image], headers)).refused);
    }
    const frame = { game: eventGame(game, start), ...(inPlay === undefined ? {} : { in_play: inPlay }) };
    const events = operators.map((operator) => ({
      ...frame,
      kind: 'delta',
      operator,
      quotes: rows
        .filter(([of]) => of === operator)
        .map(([, id, line, american, state, player]) => quoteOf(game, id, line, american, state, player)),
    }));
    const heartbeat = { ...frame, kind: 'heartbeat', operator: 'X' };
    const pushed = events.length === 0 ? [heartbeat] : events;
    return isSettled((await this.#stage.push(pushedBy, 'quotes', { events: pushed }, headers)).refused);
  }
}

function isSettled(refused: readonly string[]): boolean {
  assert.deepEqual(
    refused.filter((code) => code !== 'game-settled'),
    [],
  );
  return refused.length > 0;
}

/** Plays the case on a game of its own; rejects with the first difference. */
export async function runSettlementLog(
  stage: SettlementStage,
  game: StagedGame,
  { given, then }: LogCase,
): Promise<void> {
  const played = new PlayedLog(stage, game);
  await played.play(given);
  const { columns = closingColumns, rows, row_count, closed_by, refused, case: basis, t0, ...inEveryRow } = then;
  if (closed_by !== undefined) assert.equal(played.closedBy, closed_by, 'closed_by');
  if (refused !== undefined) assert.deepEqual(played.refused, refused, 'refused');
  const lines = await finalOf(stage.edition, game.id, 'sportsbook-lines');
  if (row_count !== undefined) assert.equal(lines?.rows.length, row_count, 'row_count');
  const final = await finalOf(stage.edition, game.id, 'closing-lines');
  const found = (final?.rows ?? []).map((row) => columns.map((name) => shown(closingLines, row, name)));
  if (rows !== undefined) {
    const player = columns.indexOf('player_id');
    const named = rows.map((cells) =>
      cells.map((cell, at) => (at === player && cell !== null ? playerOf(game, cell as string) : cell)),
    );
    assert.deepEqual(found, inNormalForm(closingLines, columns, named), 'rows');
  }
  for (const row of final?.rows ?? []) {
    const cell = (name: string) => shown(closingLines, row, name);
    if (t0 !== undefined) assert.equal(cell('actual_start') ?? cell('scheduled_start'), t0, 't0');
    if (basis !== undefined) assert.equal(cell('actual_start') === null, basis === 'c', 'case');
    for (const [name, expected] of Object.entries(inEveryRow)) {
      const ids = name.endsWith('_player_ids');
      assert.deepEqual(cell(name), ids ? (expected as number[]).map((id) => playerOf(game, id)) : expected, name);
    }
  }
}
