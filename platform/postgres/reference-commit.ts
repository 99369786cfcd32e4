// The commit of reference data: fence, refusals and receipts as in every projector's commit, then, in the same transaction, the facts. If a
// batch has several records about one subject, the last counts.

import { teamsAppear } from '../../core/league-code.ts';
import { msfSource } from '../../core/msf/ids.ts';
import type { CommitAnswer, FlushCommit } from '../../core/ports/catalog/checkpoints.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { ReferenceCommit, ReferenceEntry } from '../../core/ports/catalog/reference.ts';
import { referenceDeadLetter } from '../../core/reference/dead-letter.ts';
import { namesOf, ownId } from '../../core/reference/identify.ts';
import { kindOf } from '../../core/reference/judge.ts';
import type { ReferenceKind } from '../../core/reference/types.ts';
import type { GamesRecord, TeamFacts } from '../../schemas/events/games.ts';
import { foldedReceipts, keptDeadLetters, movedObjects } from './commit-parts.ts';
import { commitStatement } from './commit-statement.ts';
import { deadLettersParameter, keepingDeadLettersOfFold } from './dead-letters.ts';
import { asRefusal } from './failures.ts';
import { storeIds } from './identify-reference.ts';
import { mintWaiting } from './mint-waiting.ts';
import { lockGames } from './resolve-games.ts';
import type { Sql } from './sql.ts';
import { storeReportedNames } from './teams-store.ts';
import { jsonParameter } from './values.ts';

const commitFlush = commitStatement<FlushCommit>('commit_reference', [movedObjects, keptDeadLetters, foldedReceipts]);

/**
 * Performs the commit, whole or not at all.
 * @throws UnknownCommit when the connection broke during it
 * @throws CatalogRefused when the database will never accept it
 */
export async function commitReference(sql: Sql, { records, ...commit }: ReferenceCommit): Promise<CommitAnswer> {
  try {
    return await sql.transaction(async (tx) => {
      const answer = await commitFlush(tx, commit);
      if (answer === 'fenced' || records.length === 0) return answer;
      const deadLetters = await apply(tx, commit.stream.partition, records);
      if (deadLetters.length > 0)
        await tx.query(`with ${keepingDeadLettersOfFold('$1')} select`, [deadLettersParameter(deadLetters)]);
      return answer;
    });
  } catch (error) {
    throw asRefusal(error);
  }
}

/** Applies the newest record of each subject; returns the dead letters of records about teams that do not exist. */
async function apply(tx: Sql, partition: number, entries: readonly ReferenceEntry[]): Promise<DeadLetter[]> {
  const teams = await existingTeams(tx, entries);
  const [known, deadLetters]: [GamesRecord[], DeadLetter[]] = [[], []];
  for (const { offset, record } of entries) {
    const team = record.team === null ? (record.player?.current_team_id ?? null) : record.id;
    if (team === null || teams.has(`${record.league}/${team}`)) {
      known.push(record);
      continue;
    }
    const pointer = record.team === null ? '/player/current_team_id' : '/id';
    const refusal = { code: 'unknown-team', pointer, detail: `${record.league} has no team of this id` } as const;
    deadLetters.push(referenceDeadLetter({ partition, offset }, record, new Uint8Array(), refusal));
  }
  const newest = [...new Map(known.map((record) => [keyOf(record), record])).values()];
  if (newest.some(({ team }) => team !== null)) await lockGames(tx);
  await storeIds(
    tx,
    newest.map((record) => ({ ...record, kind: certainKind(record) })),
  );
  // Only the founder sets the facts of a player or venue.
  const own = newest.filter((record) => record.id === keyOf(record));
  await storePlayers(tx, own);
  await storeVenues(tx, own);
  await storeTeamFacts(tx, newest);
  return deadLetters;
}

function certainKind(record: GamesRecord): ReferenceKind {
  const kind = kindOf(record);
  if (kind === null) throw new Error('a record without a subject cannot be applied');
  return kind;
}

function keyOf(record: GamesRecord): string {
  return ownId(record.source, certainKind(record), record.league, record.source_id);
}

/** `<league>/<id>` of the teams that the records name and that exist. */
async function existingTeams(tx: Sql, entries: readonly ReferenceEntry[]): Promise<ReadonlySet<string>> {
  const named = entries.flatMap(({ record }) =>
    record.team === null ? [record.player?.current_team_id] : [record.id],
  );
  const { rows } = await tx.query('select league, id from teams where id = any ($1::uuid[])', [
    [...new Set(named.filter((id) => id != null))],
  ]);
  return new Set(rows.map(({ league, id }) => `${league}/${id}`));
}

async function storePlayers(tx: Sql, records: readonly GamesRecord[]): Promise<void> {
  const players = records.flatMap(({ id, league, player }) => (player === null ? [] : [{ id, league, ...player }]));
  if (players.length === 0) return;
  const facts = 'first_name, last_name, position, jersey_number, current_team_id, is_active';
  await tx.query(
    `insert into players (id, league, ${facts})
     select id, league, ${facts} from jsonb_to_recordset($1::jsonb) as p (id uuid, league text, first_name text, last_name text,
       position text, jersey_number integer, current_team_id uuid, is_active boolean)
     on conflict (id) do update set first_name = excluded.first_name, last_name = excluded.last_name, position = excluded.position,
       jersey_number = excluded.jersey_number, current_team_id = excluded.current_team_id, is_active = excluded.is_active`,
    [jsonParameter(players)],
  );
}

async function storeVenues(tx: Sql, records: readonly GamesRecord[]): Promise<void> {
  const venues = records.flatMap(({ id, league, venue }) => (venue === null ? [] : [{ id, league, ...venue }]));
  if (venues.length === 0) return;
  await tx.query(
    `insert into venues (id, league, name, city, country)
     select * from jsonb_to_recordset($1::jsonb) as v (id uuid, league text, name text, city text, country text)
     on conflict (id) do update set name = excluded.name, city = excluded.city, country = excluded.country`,
    [jsonParameter(venues)],
  );
}

/** Stores team names for the sources that report them. Call it under the lock of the games. */
async function storeTeamFacts(tx: Sql, records: readonly GamesRecord[]): Promise<void> {
  const reported = records.flatMap((record) => (record.team === null ? [] : [{ ...record, team: record.team }]));
  if (reported.length === 0) return;
  await storeReportedNames(
    tx,
    reported.map(({ source, league, source_id: sourceId, id, team }) => {
      return { source, league, sourceId, teamId: id, names: namesOf(league, team) };
    }),
  );
  await tx.query(
    `update teams t set city = coalesce(f.city, t.city), nickname = coalesce(f.nickname, t.nickname),
       conference = coalesce(f.conference, t.conference), division = coalesce(f.division, t.division),
       is_active = coalesce(f.is_active, t.is_active), facts_source = f.source
     from jsonb_to_recordset($1::jsonb) as f (id uuid, source text, city text, nickname text, conference text, division text, is_active boolean)
     where t.id = f.id and (t.facts_source is null or f.source in (t.facts_source, '${msfSource}'))`,
    [jsonParameter(factsOf(reported))],
  );
  for (const { source, league } of new Map(reported.map((each) => [`${each.source} ${each.league}`, each])).values())
    await mintWaiting(tx, league, source);
}

type ReportedTeam = GamesRecord & { team: TeamFacts };

/**
 * The facts to keep, once per team: for a college those of MSF, otherwise of the first source that reported any; for another team outside
 * the reference table those of its founder. The other teams keep the table's facts.
 */
function factsOf(reported: readonly ReportedTeam[]) {
  const kept = new Map<string, ReportedTeam>();
  for (const record of reported) {
    const before = kept.get(record.id);
    const maySetFacts = teamsAppear(record.league) || record.id === keyOf(record);
    if (maySetFacts && (before === undefined || record.source === msfSource)) kept.set(record.id, record);
  }
  return [...kept.values()].map(({ id, source, team }) => ({ id, source, ...team }));
}
