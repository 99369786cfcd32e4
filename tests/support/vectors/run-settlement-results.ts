// Runs a case of the forms `market-results` and `versions` through a whole service: rows are pushed as quotes, evidence
// as MSF bodies, manual scores are set in the catalog as `sds games settle` does, and each version is read over HTTP.
import assert from 'node:assert/strict';
import { readManualScore } from '../../../core/settlement/manual-score.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import type { MarketResultsRow } from '../../../schemas/datasets/market-results.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { versionsOf } from '../editions/final-of-api.ts';
import { later, type SettlementStage } from '../editions/settlement-stage.ts';
import {
  boxscore,
  eventGame,
  gamelogs,
  quoteOf,
  referencePlayers,
  type Statistic,
  scoreOf,
} from '../editions/staged-bodies.ts';
import { playerOf, type StagedGame } from '../editions/staged-game.ts';
import { timeOf } from '../folds/settlement-log.ts';
import { cellsOf, type GradingCase, type VersionsCase } from './market-result-vectors.ts';

type Given = GradingCase['given'];
type GivenEvidence = Given['evidence'];
type Row = Given['rows'][number];
type Players = NonNullable<Given['players']>;

export const resultsStart = '2026-01-09T19:00:00.000000Z';
const quotedAt = '2026-01-09T17:00:00.000000Z';
const completedAt = '2026-01-10T00:00:00.000000Z';
const tenMinutes = 600_000_000;

const gradedColumns = ['selection_id', 'line', 'result', 'result_value', 'result_reason'];
const versionColumns = [...gradedColumns, 'correction', 'settlement_source'];

/**
 * The gateway's refusal of a row that no open quote can make. The rules still grade such rows: a log may come from
 * elsewhere.
 */
function refusalOf([id, line, , state = 'open']: Row): string | null {
  const [market = '', period = ''] = id.split('/');
  if (!/^[a-z0-9_]{1,64}$/.test(period)) return 'bad-quote';
  const needsLine = ['spread', 'total', 'team_total'].includes(market);
  return needsLine && line === null && state === 'open' ? 'missing-line' : null;
}

class PlayedGame {
  readonly #stage: SettlementStage;
  readonly #game: StagedGame;
  /** For each source of evidence in the case, its name here. Manual evidence has a time of its own. */
  readonly #sources = new Map<string, { source: string; at: string | null }>();
  #before: GivenEvidence = {};
  #bodies = 0;

  constructor(stage: SettlementStage, game: StagedGame) {
    [this.#stage, this.#game] = [stage, game];
  }

  async quote(rows: readonly Row[]): Promise<void> {
    const game = this.#game;
    const events = rows.map(([id, line, player = null, state = 'open'], index) => ({
      kind: 'delta',
      operator: 'X',
      game: eventGame(game, game.start),
      // Each row gets another price: a quote that changes nothing makes no row.
      quotes: [quoteOf(game, id, line, -110 - index, state, player)],
    }));
    const { refused } = await this.#stage.push(game.source, 'quotes', { events }, { 'x-observed-at': quotedAt });
    const expected = rows.map(refusalOf).filter((code) => code !== null);
    assert.deepEqual(refused, expected, 'refused quotes');
    await this.#stage.folded();
  }

  /** The evidence at one moment; what differs from the moment before is pushed. */
  async push(said: GivenEvidence, players: Players | undefined): Promise<void> {
    const [stage, game, before] = [this.#stage, this.#game, this.#before];
    this.#before = said;
    if (players !== undefined) await stage.push('msf', 'reference', referencePlayers(game, players));
    await stage.folded();
    if (said.game_state !== undefined && !isSame(said.game_state, before.game_state)) await this.#pushScore(said);
    if (said.player_stats !== undefined && !isSame(said.player_stats, before.player_stats)) await this.#pushStats(said);
    if (said.manual !== undefined && !isSame(said.manual, before.manual)) await this.#orderScore(said.manual);
    if (said.manual === undefined && before.manual !== undefined) await this.#orderScore(null);
    if (said.cancelled !== undefined)
      await stage.direct(game, { status: { status: 'CANCELLED', at: timeOf(said.cancelled) } });
  }

  /** Ten minutes after the reported end; a game without a reported end is closed by the administrator. */
  async close({ cancelled, game_state: state }: GivenEvidence): Promise<void> {
    const over = cancelled ?? (state === undefined ? null : (state.at ?? completedAt));
    if (over === null) await this.#stage.settle(this.#game);
    else await this.#stage.tick(this.#game.source, later(over, tenMinutes));
    assert.equal(await this.#stage.isClosed(this.#game), true, 'closed');
  }

  async #pushScore({ game_state: state }: GivenEvidence): Promise<void> {
    if (state === undefined) return;
    const { revision = 'E/1', at = completedAt, played_status = 'COMPLETED', away, home } = state;
    const scoring = scoreOf(
      this.#game,
      { away, home },
      { away: state.away_periods ?? [], home: state.home_periods ?? [] },
    );
    // Only a difference cuts a revision, so each body has another attendance.
    this.#bodies += 1;
    const body = boxscore(this.#game, { playedStatus: played_status, attendance: this.#bodies }, scoring);
    const { revisions } = await this.#stage.pushMsf(this.#game, 'boxscore', body, at);
    this.#note('game-state', revision, revisions);
  }

  async #pushStats({ player_stats: stats }: GivenEvidence): Promise<void> {
    if (stats === undefined) return;
    const { revision = 'E/1', at = completedAt } = stats;
    const body = gamelogs(this.#game, stats.rows as readonly Statistic[]);
    const { revisions } = await this.#stage.pushMsf(this.#game, 'player_gamelogs', body, at);
    this.#note('player-stats', revision, revisions);
  }

  #note(
    dataset: string,
    name: string,
    revisions: readonly { dataset: string; epoch: string; revision: number }[],
  ): void {
    const cut = revisions.find((each) => each.dataset === dataset);
    assert.ok(cut !== undefined, `a revision of ${dataset} for ${name}`);
    this.#sources.set(`${dataset}/${name}`, { source: `${dataset}/${cut.epoch}/${cut.revision}`, at: null });
  }

  async #orderScore(manual: GivenEvidence['manual'] | null): Promise<void> {
    const { catalogs, broker } = this.#stage.edition.drivers;
    const { uuid, gameId } = await this.#stage.find(this.#game);
    const partition = await broker.partitionOf(topics.quotes, uuid);
    const read = manual == null ? null : readManualScore(manual.score, manual.periods ?? null);
    if (read?.kind === 'refused') throw new Error(read.problem);
    await catalogs.settlement.orderScore({ uuid, gameId, partition }, read?.scores ?? null, 'a test');
    if (manual != null) this.#manual = manual.audit;
  }

  #manual: string | null = null;

  /** Notes the number and time of the audit row of a manual score of a closed game. */
  async noteManual(): Promise<void> {
    const { uuid } = await this.#stage.find(this.#game);
    const manual = (await this.#stage.edition.drivers.catalogs.settlement.inputs(uuid))?.manual ?? null;
    if (manual === null || this.#manual === null) return;
    this.#sources.set(`manual/${this.#manual}`, { source: `manual/${manual.auditId}`, at: formatMicros(manual.at) });
  }

  /** The expected cells with the names this service gives. */
  cells(rows: readonly (readonly unknown[])[], columns: readonly string[]): unknown[][] {
    const at = (name: string) => columns.indexOf(name);
    return rows.map((row) => {
      const manual = this.#sources.get(String(row[at('settlement_source')]));
      return row.map((cell, index) => {
        if (index === at('selection_id')) return decoded(cell);
        if (index === at('settlement_source')) return manual?.source ?? cell;
        if (index === at('settled_at')) return manual?.at ?? cell;
        return index === at('player_id') && cell !== null ? playerOf(this.#game, cell as string) : cell;
      });
    });
  }
}

/** The percent-encoded id as a source writes it that does not use percent signs. */
function decoded(id: unknown): string {
  return String(id).replace(/%C4%87/g, 'ć');
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Sorts rows anew if ids have percent signs: the source writes the decoded letter, which sorts differently. */
function inOrder(rows: readonly (readonly unknown[])[], given: readonly Row[]): readonly (readonly unknown[])[] {
  if (!given.some(([id]) => id.includes('%'))) return rows;
  return rows.toSorted((a, b) => (decoded(a[0]) < decoded(b[0]) ? -1 : decoded(a[0]) > decoded(b[0]) ? 1 : 0));
}

function isMade(given: readonly Row[]): (row: readonly unknown[]) => boolean {
  const left = given.filter((row) => refusalOf(row) !== null);
  return ([id, line]) => !left.some(([leftId, leftLine]) => leftId === id && String(leftLine) === String(line));
}

/** Plays a case of form `market-results`; rejects with the first difference. */
export async function runGradingCase(
  stage: SettlementStage,
  game: StagedGame,
  { given, then }: GradingCase,
): Promise<void> {
  const versions = then.rows === null ? [] : [{ step: 0, rows: then.rows }];
  const columns = then.columns ?? gradedColumns;
  const { evidence, ...more } = given;
  await runSteps(stage, game, { ...more, steps: [evidence] }, versions, columns);
}

/** Plays a case of form `versions`; rejects with the first difference. */
export async function runVersionsCase(
  stage: SettlementStage,
  game: StagedGame,
  { given, then }: VersionsCase,
): Promise<void> {
  await runSteps(stage, game, given, then.versions, then.columns ?? versionColumns);
}

async function runSteps(
  stage: SettlementStage,
  game: StagedGame,
  given: VersionsCase['given'],
  expected: VersionsCase['then']['versions'],
  columns: readonly string[],
): Promise<void> {
  const played = new PlayedGame(stage, game);
  await played.quote(given.rows);
  const cutBy: number[] = [];
  for (const [step, said] of given.steps.entries()) {
    await played.push(said, said.players ?? (step === 0 ? given.players : undefined));
    if (step === 0) await played.close(said);
    await stage.built(game);
    await played.noteManual();
    const { artifacts } = await stage.edition.drivers.catalogs.artifacts.served((await stage.find(game)).uuid);
    const newest = artifacts.find(({ dataset }) => dataset === 'market-results')?.version ?? 0;
    while (cutBy.length < newest) cutBy.push(step);
  }
  assert.deepEqual(
    cutBy,
    expected.map(({ step }) => step),
    'the steps that cut a version',
  );
  if (expected.length === 0) return;
  const versions = await versionsOf(stage.edition, game.id, 'market-results');
  for (const [index, { rows }] of expected.entries()) {
    const found = cellsOf(versions[index]?.rows as unknown as readonly MarketResultsRow[], columns);
    const made = inOrder(rows.filter(isMade(given.rows)), given.rows);
    assert.deepEqual(found, played.cells(made, columns), `version ${index + 1}`);
  }
}
