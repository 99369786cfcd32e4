// The statements of a group: one poll by one member at a time, under the lock of the group's row.
import type { Millis } from '../../core/units.ts';
import { type GroupView, planClaims } from '../broker/claims.ts';
import type { Sql } from '../postgres/sql.ts';
import { notices } from './log-table.ts';
import { groupBell } from './notices.ts';

export type Group = { id: number };

/** Finds or creates the group and its claims: one of each partition that the topic has. */
export async function openGroup(sql: Sql, topicId: number, name: string): Promise<Group> {
  await sql.query('insert into log_groups (topic_id, name) values ($1, $2) on conflict do nothing', [topicId, name]);
  const { rows } = await sql.query('select id from log_groups where topic_id = $1 and name = $2', [topicId, name]);
  const id = Number(rows[0]?.id);
  await sql.query(
    `insert into log_claims (group_id, partition)
     select $1, generate_series(0, partitions - 1) from log_topics where id = $2 on conflict do nothing`,
    [id, topicId],
  );
  return { id };
}

type Look = {
  member: string;
  /** Partitions whose handlers have ended: to be released. */
  done: readonly number[];
  /** Progress by partition, for lag displays. */
  progress: readonly (readonly [number, number])[];
  sessionMs: Millis;
};

/**
 * Renews the member for `sessionMs`, releases finished partitions and claims its share of free ones. Returns what it holds now, and what of
 * that it should give up.
 */
export async function lookAround(sql: Sql, group: Group, look: Look): Promise<{ held: number[]; giveUp: number[] }> {
  const { member, done, progress, sessionMs } = look;
  return sql.transaction(async (tx) => {
    await tx.query('select id from log_groups where id = $1 for update', [group.id]);
    await noteProgress(tx, group, progress);
    const changed = [await sayAlive(tx, group, member, sessionMs), await release(tx, group, member, done)];
    const view = await viewOf(tx, group);
    const { take, giveUp } = planClaims(view, member);
    if (take.length > 0) {
      await tx.query('update log_claims set member = $2 where group_id = $1 and partition = any ($3)', [
        group.id,
        member,
        take,
      ]);
    }
    if (changed.includes(true)) await notify(tx, group);
    const held = view.holders.flatMap((holder, partition) => (holder === member ? [partition] : []));
    return { held: [...held, ...take].sort((a, b) => a - b), giveUp };
  });
}

/** Releases everything at once for other members. */
export async function leaveGroup(sql: Sql, group: Group, member: string, progress: Look['progress']): Promise<void> {
  await noteProgress(sql, group, progress);
  await sql.query(
    `with left_claims as (update log_claims set member = null where group_id = $1 and member = $2),
          left_group as (delete from log_members where group_id = $1 and member = $2)
     select pg_notify('${notices}', $3)`,
    [group.id, member, groupBell(group.id)],
  );
}

async function noteProgress(sql: Sql, group: Group, progress: Look['progress']): Promise<void> {
  if (progress.length === 0) return;
  await sql.query(
    `update log_claims c set next_offset = p.next_offset
     from unnest($2::integer[], $3::bigint[]) as p (partition, next_offset)
     where c.group_id = $1 and c.partition = p.partition`,
    [group.id, progress.map(([partition]) => partition), progress.map(([, nextOffset]) => nextOffset)],
  );
}

/** Removes every member of every group. */
export async function forgetMembers(sql: Sql): Promise<void> {
  await sql.query('delete from log_members');
}

/** Whether the group has changed: the member is new, or another one has expired. */
async function sayAlive(tx: Sql, group: Group, member: string, sessionMs: Millis): Promise<boolean> {
  const alive = await tx.query(
    `insert into log_members (group_id, member, expires_at)
     values ($1, $2, clock_timestamp() + $3::integer * interval '1 millisecond')
     on conflict (group_id, member) do update set expires_at = excluded.expires_at
     returning xmax = 0 as made`,
    [group.id, member, sessionMs],
  );
  const dead = await tx.query('delete from log_members where group_id = $1 and expires_at < clock_timestamp()', [
    group.id,
  ]);
  return alive.rows[0]?.made === true || dead.rowCount !== 0;
}

async function release(tx: Sql, group: Group, member: string, done: readonly number[]): Promise<boolean> {
  if (done.length === 0) return false;
  const { rowCount } = await tx.query(
    'update log_claims set member = null where group_id = $1 and member = $2 and partition = any ($3)',
    [group.id, member, done],
  );
  return rowCount !== 0;
}

async function viewOf(tx: Sql, group: Group): Promise<GroupView> {
  const members = await tx.query('select member from log_members where group_id = $1 order by member', [group.id]);
  const claims = await tx.query('select member from log_claims where group_id = $1 order by partition', [group.id]);
  return {
    partitions: claims.rows.length,
    members: members.rows.map((row) => String(row.member)),
    holders: claims.rows.map((row) => (row.member === null ? null : String(row.member))),
  };
}

async function notify(tx: Sql, group: Group): Promise<void> {
  await tx.query(`select pg_notify('${notices}', $1)`, [groupBell(group.id)]);
}
