// Runs pushes through the product's pure functions (adapters, resolution, fold) and through the oracle, and compares
// the results: refusals, duplicates, games, rows, segments, boards with missing counts and states, watermarks. A tick
// goes to every game.
import { everything, type PushGrant } from '../../../core/access/feed-grant.ts';
import { boardRows, operatorsWithRows } from '../../../core/live/board.ts';
import { boardsAt } from '../../oracle/board.ts';
import type { Team } from '../../oracle/games.ts';
import { type Outcome, type Push, rowAsArray, runPushes } from '../../oracle/pushes.ts';
import { readTime, writeTime } from '../../oracle/times.ts';
import { rowOfProduct } from './fold-beside-oracle.ts';
import { boardsWithMissing, PureService } from './pure-service.ts';

type Account = Record<string, unknown>;

/** A push under a key that may be limited to some content. */
export type GrantedPush = Push & { may?: PushGrant };

/** Whether a refusal is left out of the comparison. */
type Without = (refusal: Outcome['refusals'][number]) => boolean;

function accountOfProduct(pushes: readonly GrantedPush[], without: Without): Account {
  const service = new PureService();
  const refusals: Outcome['refusals'] = [];
  let duplicates = 0;
  for (const push of pushes) {
    const at = Number(readTime(push.at));
    if (push.format === 'tick') {
      for (const game of service.games.values()) service.tick(game, at);
      continue;
    }
    const outcome = service.push({
      source: push.source,
      format: push.format,
      query: {
        oddsFormat: push.query.odds_format ?? null,
        markets: push.query.markets ?? null,
        bookmakers: push.query.bookmakers ?? null,
      },
      receivedAt: at,
      observedAt: push.timed === 'source' ? push.at : null,
      mayBackfill: push.scopes.includes('backfill'),
      may: push.may ?? everything,
      idempotencyKey: push.idempotencyKey ?? null,
      body: new TextEncoder().encode(push.body),
    });
    duplicates += outcome.duplicates;
    for (const { index, code } of outcome.refusals) refusals.push([push.step, index, code]);
  }
  const account: Account = { refusals: asSet(refusals.filter((each) => !without(each))), duplicates };
  for (const game of service.games.values()) {
    const id = game.known.publicId ?? game.known.uuid;
    const operators = operatorsWithRows(game.state);
    account[`${id}: uuid`] = game.known.uuid;
    account[`${id}: rows`] = game.rows.map((row) => Object.values(rowOfProduct(row)).map(textOf));
    account[`${id}: segments`] = game.segments;
    account[`${id}: missing`] = boardsWithMissing(game);
    account[`${id}: boards`] = operators.map(({ code }) => [
      code,
      boardRows(game.state, code).map((row) => [
        row.selection_id,
        row.quote_state,
        timeOf(row.operator_observed_through),
      ]),
    ]);
    account[`${id}: watermarks`] = operators.map(({ code, watermark }) => [code, timeOf(watermark)]);
  }
  return account;
}

function accountOfOracle(pushes: readonly Push[], teams: Team[], without: Without): Account {
  const outcome = runPushes(pushes, teams);
  const account: Account = {
    refusals: asSet(outcome.refusals.filter((each) => !without(each))),
    duplicates: outcome.duplicates,
  };
  for (const { id, uuid, rows, segments, boards, watermarks, fold } of outcome.games) {
    const rewritten = fold.logTime === undefined ? [] : boardsAt(fold, fold.logTime);
    account[`${id}: uuid`] = uuid;
    account[`${id}: rows`] = rows.map((row, index) =>
      [id, leagueOf(outcome, id), row.operator, BigInt(index + 1), ...rowAsArray(row).slice(1)].map(textOf),
    );
    account[`${id}: segments`] = segments;
    account[`${id}: missing`] = boards;
    account[`${id}: boards`] = rewritten.map((board) => [
      board.operator,
      board.entries.map((entry) => [entry.selectionId, entry.state, timeOf(board.observedThrough)]),
    ]);
    account[`${id}: watermarks`] = Object.entries(watermarks);
  }
  return account;
}

function leagueOf(outcome: Outcome, id: string): string {
  return outcome.games.find((game) => game.id === id)!.league;
}

function asSet(refusals: Outcome['refusals']): string[] {
  return [...new Set(refusals.map((refusal) => JSON.stringify(refusal)))].sort();
}

function timeOf(micros: number | bigint | null | undefined): string | null {
  return micros === null || micros === undefined ? null : writeTime(BigInt(micros));
}

function textOf(value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

export type PushDifference = { what: string; product: unknown; oracle: unknown };

/**
 * The first member in which the two results differ. `reduced`: what the oracle is given, if it is less than the product
 * gets. A refusal for which `without` is true does not count as a difference.
 */
export function firstPushDifference(
  pushes: readonly GrantedPush[],
  teams: Team[],
  reduced: readonly Push[] = pushes,
  without: Without = () => false,
): PushDifference | undefined {
  const product = accountOfProduct(pushes, without);
  const oracle = accountOfOracle(reduced, teams, without);
  for (const what of new Set([...Object.keys(product), ...Object.keys(oracle)])) {
    if (JSON.stringify(product[what]) !== JSON.stringify(oracle[what])) {
      return { what, product: product[what], oracle: oracle[what] };
    }
  }
  return undefined;
}

/** A difference as readable text: only the parts that differ. */
export function describePushDifference({ what, product, oracle }: PushDifference): string {
  const only = (one: unknown, other: unknown): unknown => {
    if (!Array.isArray(one) || !Array.isArray(other)) return one;
    const texts = other.map((item) => JSON.stringify(item));
    return one.filter((item) => !texts.includes(JSON.stringify(item)));
  };
  return `${what}:\nproduct ${JSON.stringify(only(product, oracle))}\noracle  ${JSON.stringify(only(oracle, product))}`;
}
