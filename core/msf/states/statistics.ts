// Statistics in long form (docs/revisions.md#statistics): one row for each number, named as the source
// names it. A new statistic is a new row. Unaware of what a statistic means: a zero that stands for nothing known is kept.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { compareUtf8 } from '../../live/utf8-order.ts';
import type { ElementText } from '../bodies/element-text.ts';
import { dec124Of, int64Of, listOf, valueAt } from '../values.ts';
import type { BodyIds } from './body-ids.ts';

/** Name and value, the value unscaled of dec(12,4). */
type Statistic = readonly [stat: string, value: number];

/** What one entry of a body says of a player or of a team. `of`: whose statistics they are. */
export type StatEntry = { readonly of: string; readonly team: string | null; readonly stats: readonly Statistic[] };

/** A statistic of a state. */
type StatRow = { of: string; team: string | null; stat: string; value: number };

const sides = ['away', 'home'] as const;

/** The players of a box score, away before home. What `text` has met before is not read again. */
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

/** The two teams of a box score; it may have none. */
export function teamsOfBoxscore(ids: BodyIds, element: JsonObject): readonly StatEntry[] {
  const names = new Names();
  return sides.flatMap((side) => entryOf(ids[side], ids[side], valueAt(element, 'stats', side, 'teamStats'), names));
}

/** The entries of `player_gamelogs`. What `text` has met before is not read again. */
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

/** The entries of `team_gamelogs`: one without a team says nothing of any. */
export function teamsOfGamelogs(ids: BodyIds, element: JsonObject): readonly StatEntry[] {
  const names = new Names();
  return listOf(memberOf(element, 'gamelogs')).flatMap((entry) => {
    const team = ids.team(valueAt(entry, 'team'));
    return entryOf(team, team, valueAt(entry, 'stats'), names);
  });
}

/** The entries of each player, or team, in the order in which they are heard; sorted by whose they are. */
export function byOwner(entries: readonly StatEntry[]): readonly (readonly [StatEntry, ...StatEntry[]])[] {
  const heard = new Map<string, [StatEntry, ...StatEntry[]]>();
  for (const entry of entries) {
    const known = heard.get(entry.of);
    if (known === undefined) heard.set(entry.of, [entry]);
    else known.push(entry);
  }
  return [...heard.values()].sort(([a], [b]) => compareUtf8(a.of, b.of));
}

/** What the entries of one owner say together, in order of statistics: of equal ones the first counts. */
export function statRows(entries: readonly StatEntry[]): readonly StatRow[] {
  const rows = entries.flatMap(({ of, team, stats }) => stats.map(([stat, value]) => ({ of, team, stat, value })));
  if (entries.length === 1) return rows;
  const first = new Map<string, StatRow>();
  for (const row of rows) if (!first.has(row.stat)) first.set(row.stat, row);
  return [...first.values()].sort((a, b) => compareUtf8(a.stat, b.stat));
}

/** What the entries of a list say: each of itself and of the two teams alone. */
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

/** Members in the order of RFC 8785, so that bodies of one content give one state. */
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

/** Every player has the same statistics: their names are held once. */
class Names {
  readonly #joined = new Map<string | null, Map<string, string>>();

  /** A member's name behind the names that lead to it; null where none does. */
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
