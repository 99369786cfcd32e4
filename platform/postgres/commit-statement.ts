// A commit as one statement made of parts, so one round trip and one transaction. Everything hangs on `fence`: its UPDATE takes the stream's
// row lock and, after waiting for another holder, tests its WHERE again on the row as it then is; every other part joins what it
// returned, and nothing happens when that is nothing. What the parts read besides is the state before the statement.
import type { CommitAnswer, Fence } from '../../core/ports/catalog/checkpoints.ts';
import { UnknownCommit } from '../../core/ports/catalog/errors.ts';
import { asRefusal, connectionBroke } from './failures.ts';
import type { Sql } from './sql.ts';

/** Names the value that a part takes from each commit: answers `$n`, which the part writes into its text as often as it likes. */
export type Parameter<Commit> = (value: (commit: Commit) => unknown) => string;

/** One concern of a commit: its CTEs, made once; what a commit brings is in its parameters alone. */
export type CommitPart<Commit> = {
  /** The CTEs, as `name as (…), other as (…)`. They may read `fence`: its topic, partition, owner_epoch and next_offset. */
  ctes(parameter: Parameter<Commit>): string;
  /** A CTE that only selects: it runs because the end of the statement asks for it. */
  asked?: string;
};

const fence: CommitPart<Fence> = {
  ctes(parameter) {
    const offset = parameter(({ snapshot }) => snapshot?.offset ?? null);
    const key = parameter(({ snapshot }) => snapshot?.key ?? null);
    return `fence as (
    update stream_state set next_offset = ${parameter(({ to }) => to)},
      fold_digest = decode(${parameter(({ foldDigest }) => foldDigest)}, 'hex'), updated_at = now(),
      snapshot_key = coalesce(${key}, snapshot_key), snapshot_offset = coalesce(${offset}, snapshot_offset),
      log_version = coalesce(${parameter(({ logVersion }) => logVersion)}, log_version)
    where projector = ${parameter(({ stream }) => stream.projector)} and topic = ${parameter(({ stream }) => stream.topic)}
      and partition = ${parameter(({ stream }) => stream.partition)}
      and owner_epoch = ${parameter(({ ownerEpoch }) => ownerEpoch)} and next_offset = ${parameter(({ from }) => from)}
    returning topic, partition, owner_epoch, next_offset
  )`;
  },
};

/**
 * A commit made of the fence and `parts`, as a function that performs it whole or not at all. `name`: under which connections keep it
 * prepared; its text never changes.
 * @throws UnknownCommit when the connection broke under it
 * @throws CatalogRefused when the database will never take it
 */
export function commitStatement<Commit extends Fence>(
  name: string,
  parts: readonly CommitPart<Commit>[],
): (sql: Pick<Sql, 'query'>, commit: Commit) => Promise<CommitAnswer> {
  const values: ((commit: Commit) => unknown)[] = [];
  const parameter: Parameter<Commit> = (value) => `$${values.push(value)}`;
  const ctes = [fence, ...parts].map((part) => part.ctes(parameter)).join(', ');
  const asked = parts.flatMap((part) => part.asked ?? []).map((cte) => `, (select count(*) from ${cte})`);
  const text = `with ${ctes} select exists (select from fence) as committed${asked.join('')}`;
  return async (sql, commit) => {
    try {
      const parameters = values.map((value) => value(commit));
      const { rows } = await sql.query(text, parameters, name);
      return rows[0]?.committed === true ? 'committed' : 'fenced';
    } catch (error) {
      if (error instanceof Error && connectionBroke(error.cause)) {
        throw new UnknownCommit('the connection broke under the commit', { cause: error.cause });
      }
      throw asRefusal(error);
    }
  };
}
