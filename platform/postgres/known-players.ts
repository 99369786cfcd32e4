// A cache of players by a source's own ids. An id never changes its meaning, so a push of known players needs no database. Unknown ids
// expire soon, because the source may be about to report them.
import { LRUCache } from 'lru-cache';
import { nameOf } from '../../core/reference/identify.ts';
import { readIds } from './identify-reference.ts';
import type { Sql } from './sql.ts';

type PlayerName = { league: string; sourceId: string };

const maxPlayers = 50_000;
const unknownForMs = 5_000;
/** Longer than any id that could be stored. */
const longestId = 256;

export class KnownPlayers {
  readonly #sql: Sql;
  /** '' for an unknown player. */
  readonly #ids = new LRUCache<string, string>({ max: maxPlayers });

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The canonical ids, by `nameOf`; unknown players are absent. */
  async called(source: string, names: readonly PlayerName[]): Promise<ReadonlyMap<string, string>> {
    const wanted = new Map<string, PlayerName>();
    for (const name of names) {
      if (name.sourceId.length <= longestId) wanted.set(nameOf('player', name.league, name.sourceId), name);
    }
    const found = new Map<string, string>();
    const unknown: PlayerName[] = [];
    for (const [name, player] of wanted) {
      const id = this.#ids.get(`${source}/${name}`);
      if (id === undefined) unknown.push(player);
      else if (id !== '') found.set(name, id);
    }
    if (unknown.length === 0) return found;
    const ids = await readIds(
      this.#sql,
      source,
      unknown.map(({ league, sourceId }) => ({ kind: 'player', league, source_id: sourceId })),
    );
    for (const { league, sourceId } of unknown) {
      const name = nameOf('player', league, sourceId);
      const id = ids.get(name);
      if (id !== undefined) found.set(name, id);
      this.#ids.set(`${source}/${name}`, id ?? '', id === undefined ? { ttl: unknownForMs } : {});
    }
    return found;
  }
}
