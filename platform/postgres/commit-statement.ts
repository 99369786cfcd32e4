// A commit as one statement made of parts: one round trip and one transaction. Everything depends on `fence`: its UPDATE takes the stream's
// row lock and, after waiting for another holder, evaluates its WHERE again on the new row. Every other part joins its result, so nothing
// happens if that is empty. Parts otherwise read the state before the statement.
import type { CommitAnswer, Fence } from '../../core/ports/catalog/checkpoints.ts';
import { UnknownCommit } from '../../core/ports/catalog/errors.ts';
import { asRefusal, connectionBroke } from './failures.ts';
import type { Sql } from './sql.ts';
import { jsonParameter } from './values.ts';

/** Adds a parameter computed from each commit; returns `$n`, which the part may use in its text any number of times. */
type Parameter<Commit> = (value: (commit: Commit) => unknown) => string;

/** One concern of a commit: CTEs that are built once; the data of each commit is only in the parameters. */
export type CommitPart<Commit> = {
  /** The CTEs, as `name as (…), other as (…)`. They may read `fence`: its topic, partition, owner_epoch and next_offset. */
  ctes(parameter: Parameter<Commit>): string;
  /** A CTE that only selects; the statement's end reads it, so that it runs. */
  asked?: string;
};

const fence: CommitPart<Fence> = {
  ctes(parameter) {
    const offset = parameter(({ snapshot }) => snapshot?.offset ?? null);
    const key = parameter(({ snapshot }) => snapshot?.key ?? null);
    const older = parameter(({ snapshot }) => (snapshot === null ? null : jsonParameter(snapshot.older)));
    return `fence as (
    update stream_state set next_offset = ${parameter(({ to }) => to)},
      fold_digest = decode(${parameter(({ foldDigest }) => foldDigest)}, 'hex'), updated_at = now(),
      snapshot_key = coalesce(${key}, snapshot_key), snapshot_offset = coalesce(${offset}, snapshot_offset),
      older_snapshots = coalesce(${older}, older_snapshots),
      log_version = coalesce(${parameter(({ logVersion }) => logVersion)}, log_version)
    where projector = ${parameter(({ stream }) => stream.projector)} and topic = ${parameter(({ stream }) => stream.topic)}
      and partition = ${parameter(({ stream }) => stream.partition)}
      and owner_epoch = ${parameter(({ ownerEpoch }) => ownerEpoch)} and next_offset = ${parameter(({ from }) => from)}
    returning topic, partition, owner_epoch, next_offset
  )`;
  },
};

/**
 * A commit made of the fence and `parts`, as a function that performs it whole or not at all. Connections keep it prepared under `name`;
 * its text never changes.
 * @throws UnknownCommit when the connection broke during it
 * @throws CatalogRefused when the database will never accept it
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
        throw new UnknownCommit('the connection broke during the commit', { cause: error.cause });
      }
      throw asRefusal(error);
    }
  };
}
