// Statistics in long form (docs/revisions.md#statistics): one row per number, under the source's name for it. A new statistic is a new row.
// Does not interpret statistics: a zero that means "unknown" is kept.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { compareUtf8 } from '../../live/utf8-order.ts';
import type { ElementText } from '../bodies/element-text.ts';
import { dec124Of, int64Of, listOf, valueAt } from '../values.ts';
import type { BodyIds } from './body-ids.ts';

/** Name and value; the value is the unscaled integer of dec(12,4). */
type Statistic = readonly [stat: string, value: number];

/** What one entry of a body says about a player or a team. `of`: the id of the player or team. */
export type StatEntry = { readonly of: string; readonly team: string | null; readonly stats: readonly Statistic[] };

/** A statistic of a state. */
type StatRow = { of: string; team: string | null; stat: string; value: number };

const sides = ['away', 'home'] as const;

/** The players of a box score, away before home. Entries that `text` knows are not read again. */
export function playersOfBoxscore(
  ids: BodyIds,
  element: JsonObject,
  text: ElementText | null = null,
): readonly StatEntry[] {
  const names = new Names();
  return sides.flatMap((side) =>
    readEntries(ids, valueAt(element, 'stats', side, 'players'), text, (entry) =>
      entryOf(playerOf(ids, entry), ids[side], valueAt(entry, 'playerStats'), names),
    ),
  );
}

/** The two teams of a box score, which may have none. */
export function teamsOfBoxscore(ids: BodyIds, element: JsonObject): readonly StatEntry[] {
  const names = new Names();
  return sides.flatMap((side) => entryOf(ids[side], ids[side], valueAt(element, 'stats', side, 'teamStats'), names));
}

/** The entries of `player_gamelogs`. Entries that `text` knows are not read again. */
export function playersOfGamelogs(
  ids: BodyIds,
  element: JsonObject,
  text: ElementText | null = null,
): readonly StatEntry[] {
  const names = new Names();
  return readEntries(ids, memberOf(element, 'gamelogs'), text, (entry) =>
    entryOf(playerOf(ids, entry), ids.team(valueAt(entry, 'team')), valueAt(entry, 'stats'), names),
  );
}

/** The entries of `team_gamelogs`; an entry without a team is ignored. */
export function teamsOfGamelogs(ids: BodyIds, element: JsonObject): readonly StatEntry[] {
  const names = new Names();
  return listOf(memberOf(element, 'gamelogs')).flatMap((entry) => {
    const team = ids.team(valueAt(entry, 'team'));
    return entryOf(team, team, valueAt(entry, 'stats'), names);
  });
}

/** The entries of each player or team, in the order in which they came; sorted by the id of the player or team. */
export function byOwner(entries: readonly StatEntry[]): readonly (readonly [StatEntry, ...StatEntry[]])[] {
  const byId = new Map<string, [StatEntry, ...StatEntry[]]>();
  for (const entry of entries) {
    const known = byId.get(entry.of);
    if (known === undefined) byId.set(entry.of, [entry]);
    else known.push(entry);
  }
  return [...byId.values()].sort(([a], [b]) => compareUtf8(a.of, b.of));
}

/** The statistics of all entries of one player or team, ordered by name; if a statistic occurs twice, the first one counts. */
export function statRows(entries: readonly StatEntry[]): readonly StatRow[] {
  const rows = entries.flatMap(({ of, team, stats }) => stats.map(([stat, value]) => ({ of, team, stat, value })));
  if (entries.length === 1) return rows;
  const first = new Map<string, StatRow>();
  for (const row of rows) if (!first.has(row.stat)) first.set(row.stat, row);
  return [...first.values()].sort((a, b) => compareUtf8(a.stat, b.stat));
}

/** Reads the entries of a list; each result depends only on the entry and the game's two teams. */
function readEntries(
  ids: BodyIds,
  list: JsonValue,
  text: ElementText | null,
  read: (entry: JsonValue) => readonly StatEntry[],
): readonly StatEntry[] {
  const about = text?.aboutOf(JSON.stringify(ids.sides)) ?? {};
  const entries = text?.entriesOf(list) ?? [];
  return listOf(list).flatMap((value, index) => entries[index]?.read(about, () => read(value)) ?? read(value));
}

function playerOf(ids: BodyIds, entry: JsonValue): string | null {
  const id = int64Of(valueAt(entry, 'player', 'id'));
  return id === null ? null : ids.player(id);
}

function entryOf(of: string | null, team: string | null, value: JsonValue, names: Names): readonly StatEntry[] {
  if (of === null) return [];
  const found = new Map<string, number>();
  collect(value, null, found, names);
  return found.size === 0 ? [] : [{ of, team, stats: [...found].sort(([a], [b]) => compareUtf8(a, b)) }];
}

/** Reads members in the order of RFC 8785, so that equal content gives equal states. */
function collect(value: JsonValue, prefix: string | null, found: Map<string, number>, names: Names): void {
  if (isJsonArray(value)) {
    for (const element of value) if (isJsonObject(element)) collect(element, prefix, found, names);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value).sort()) {
    const member = memberOf(value, name);
    const path = names.join(prefix, name);
    const number = dec124Of(member);
    if (number === null) collect(member, path, found, names);
    else if (!found.has(path)) found.set(path, number);
  }
}

/** All players have the same statistics, so each name is stored once. */
class Names {
  readonly #joined = new Map<string | null, Map<string, string>>();

  /** A member's full name: the names of its parents (null: none), then its own. */
  join(prefix: string | null, name: string): string {
    const under = this.#joined.get(prefix) ?? new Map<string, string>();
    if (under.size === 0) this.#joined.set(prefix, under);
    const known = under.get(name);
    if (known !== undefined) return known;
    const path = prefix === null ? name : `${prefix}.${name}`;
    under.set(name, path);
    return path;
  }
}
