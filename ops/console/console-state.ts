// The console's document: how every part of the service stands, each with the command that acts on it, or, where no command can, shows the
// cause. Made from facts alone, and bounded whatever they are (docs/operations.md#console).
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Asked } from '../health/ask-dependency.ts';
import type { ConsoleFacts } from './console-facts.ts';
import { accountRow, deadLetterRow, epochRow, feedKeyRow, partitionRow, sportsbookRow } from './console-rows.ts';
import {
  judgeCatalog,
  judgeDeadLetters,
  judgeEpochs,
  judgeFeeds,
  judgeKeys,
  judgeObjects,
  judgePartitions,
  judgePublications,
  judgeRateLimit,
  judgeReasons,
  judgeSettlement,
  judgeTicks,
  waitingFor,
} from './judge-parts.ts';
import type { Judgement, PartState } from './judgement.ts';
import { sdsCommand } from './sds-command.ts';
import { sportsbookFreshness } from './sportsbook-freshness.ts';

export type ConsoleCheck = { id: string; state: PartState; what: string; since: string | null; command: string };

/** One step on the way of a quote; `waiting`: records or games that wait at it, `late_ms`: since when it is late. Null: unknown, or not. */
export type Hop = {
  id: string;
  from: string;
  to: string;
  state: 'ok' | 'late' | 'unknown';
  waiting: number | null;
  late_ms: number | null;
  what: string;
  command: string;
};

/** A list that is null is unknown, and the check of its name says why. `left_out`: how many rows of a list are not shown. */
export type ConsoleState = {
  as_of: string;
  checks: readonly ConsoleCheck[];
  hops: readonly Hop[];
  sportsbooks: readonly ReturnType<typeof sportsbookRow>[] | null;
  partitions: readonly ReturnType<typeof partitionRow>[] | null;
  dead_letters: readonly ReturnType<typeof deadLetterRow>[] | null;
  epochs: readonly ReturnType<typeof epochRow>[] | null;
  keys: readonly (ReturnType<typeof feedKeyRow> | ReturnType<typeof accountRow>)[] | null;
  left_out: Readonly<Record<'sportsbooks' | 'partitions', number>>;
};

/** How many rows a list shows. Those that need the administrator come first. */
export const mostRows = 50;

const startProjectors = sdsCommand('start', 'projectors');
const status = sdsCommand('status');

export function consoleState(facts: ConsoleFacts): ConsoleState {
  const { now, quotas } = facts;
  const sportsbooks = listOf(facts.openLogs, (logs) => sportsbookFreshness(logs, now));
  const partitions = listOf(facts.streams, (streams) =>
    streams.map((stream) => partitionRow(stream, facts)).sort((one, other) => rankOf(one) - rankOf(other)),
  );
  const feedKeys = listOf(facts.feedKeys, (keys) => keys.map((key) => feedKeyRow(key, quotas)));
  const accounts = listOf(facts.accounts, (all) => all.map(accountRow));
  return {
    as_of: formatMicros(now),
    checks: checksOf(facts),
    hops: hopsOf(facts),
    sportsbooks: sportsbooks?.slice(0, mostRows).map((each) => sportsbookRow(each, now)) ?? null,
    partitions: partitions?.slice(0, mostRows) ?? null,
    dead_letters: listOf(facts.deadLetters, (groups) => groups.map(deadLetterRow)),
    epochs: listOf(facts.epochs, (replaced) => replaced.map((each) => epochRow(each, now))),
    keys: feedKeys === null || accounts === null ? null : [...feedKeys, ...accounts],
    left_out: { sportsbooks: leftOut(sportsbooks), partitions: leftOut(partitions) },
  };
}

function checksOf(facts: ConsoleFacts): readonly ConsoleCheck[] {
  const check = (id: string, { state, what, since }: Judgement, command: string): ConsoleCheck => ({
    ...{ id, state, what, command: state === 'unknown' ? status : command },
    since: since === undefined ? null : formatMicros(since),
  });
  const reasons = (name: string, well: string) => judgeReasons(facts, [name], well);
  return [
    check('catalog', judgeCatalog(facts), status),
    check('log', reasons('log', 'the log answers'), status),
    check('registry', reasons('registry', 'it has the schemas of the topics'), sdsCommand('schemas', 'check')),
    check('objects', judgeObjects(facts), status),
    check('ratelimit', judgeRateLimit(facts), status),
    check('clock', reasons('clock', "no clock is off the database's"), status),
    check('ticks', judgeTicks(facts), sdsCommand('start', 'ticker')),
    check('feeds', judgeFeeds(facts), sdsCommand('sources', 'list')),
    check('folds', reasons('stalled ', 'no checkpoint stands still while the log moves'), startProjectors),
    check('partitions', judgePartitions(facts), sdsCommand('verify')),
    check('publications', judgePublications(facts), startProjectors),
    check('settlement', judgeSettlement(facts), startProjectors),
    check('dead_letters', judgeDeadLetters(facts), sdsCommand('dlq', 'summary')),
    check('epochs', judgeEpochs(facts), sdsCommand('audit', 'list', '--action', 'epoch')),
    check('keys', judgeKeys(facts), sdsCommand('feed-keys', 'list')),
  ];
}

/** In the order in which a quote takes them. */
function hopsOf(facts: ConsoleFacts): readonly Hop[] {
  const hop = (
    id: string,
    [from, to]: readonly [string, string],
    { state, what, since }: Judgement,
    waiting: number | null,
    command: string,
  ): Hop => {
    const late = state === 'warn' && since !== undefined ? Math.round((facts.now - since) / 1_000) : null;
    const shown = state === 'warn' ? 'late' : state;
    return {
      id,
      from,
      to,
      state: shown,
      waiting,
      late_ms: late,
      what,
      command: shown === 'unknown' ? status : command,
    };
  };
  const { streams, unsettled, outbox } = facts;
  const folds =
    'away' in streams
      ? [hop('folds', ['log', 'projectors'], judgePartitions(facts), null, startProjectors)]
      : [...new Set(streams.answer.map(({ projector }) => projector))].map((projector) =>
          hop(
            `fold-${projector}`,
            ['log', projector],
            judgeFold(facts, projector),
            waitingFor(facts, projector),
            startProjectors,
          ),
        );
  return [
    hop('feeds', ['sportsbooks', 'push gateway'], judgeFeeds(facts), null, sdsCommand('sources', 'list')),
    hop('log', ['push gateway', 'log'], judgeReasons(facts, ['log', 'registry'], 'the log answers'), null, status),
    hop('ticks', ['ticker', 'log'], judgeTicks(facts), null, sdsCommand('start', 'ticker')),
    ...folds,
    hop('objects', ['projectors', 'object store'], judgeObjects(facts), null, status),
    hop(
      'publications',
      ['commits', 'topics'],
      judgePublications(facts),
      'away' in outbox ? null : outbox.answer.records,
      startProjectors,
    ),
    hop(
      'settlement',
      ['closed games', 'final files'],
      judgeSettlement(facts),
      'away' in unsettled ? null : unsettled.answer.games + unsettled.answer.again,
      startProjectors,
    ),
  ];
}

function judgeFold(facts: ConsoleFacts, projector: string): Judgement {
  const names = [`stalled ${projector}/`, `partition ${projector}/`];
  return judgeReasons(facts, names, 'its checkpoints move with the log');
}

function listOf<Answer, Row>(asked: Asked<Answer>, rowsOf: (answer: Answer) => readonly Row[]): readonly Row[] | null {
  return 'away' in asked ? null : rowsOf(asked.answer);
}

function leftOut(rows: readonly unknown[] | null): number {
  return Math.max(0, (rows?.length ?? 0) - mostRows);
}

function rankOf({ state }: { state: string }): number {
  return ['halted', 'late', 'unowned', 'unknown', 'ok'].indexOf(state);
}
