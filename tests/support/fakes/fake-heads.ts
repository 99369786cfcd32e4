// The heads of a catalog's games in memory, computed anew from the current logs and streams.
import type { GameHeads, HeadsCatalog } from '../../../core/ports/catalog/heads.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import type { FakeCatalog } from './api-fakes.ts';
import type { FakeMsf } from './fake-msf.ts';

export class FakeHeads implements HeadsCatalog {
  readonly calls = { heads: 0, openGames: 0 };
  /** Games that have been final for a quarter of an hour. */
  readonly longFinal = new Set<string>();
  /** Games that start on none of the days of a league's streams. */
  readonly otherDays = new Set<string>();
  readonly #catalog: FakeCatalog;
  readonly #msf: FakeMsf;

  constructor(catalog: FakeCatalog, msf: FakeMsf) {
    this.#catalog = catalog;
    this.#msf = msf;
  }

  async heads(gameUuids: readonly string[]): Promise<readonly GameHeads[]> {
    this.calls.heads += 1;
    await this.#catalog.answering();
    return this.#catalog.games.filter(({ uuid }) => gameUuids.includes(uuid)).map((game) => this.#of(game));
  }

  async openGames(league: League): Promise<readonly string[]> {
    this.calls.openGames += 1;
    await this.#catalog.answering();
    return this.#catalog.games
      .filter((game) => game.league === league)
      .map((game) => this.#of(game))
      .filter(
        ({ gameUuid, final, live, streams }) =>
          !(final && this.longFinal.has(gameUuid)) &&
          !this.otherDays.has(gameUuid) &&
          (live !== null || streams.length > 0),
      )
      .map(({ gameUuid }) => gameUuid);
  }

  #of({ uuid, gameId, league }: FakeCatalog['games'][number]): GameHeads {
    const log = this.#catalog.logs.get(uuid);
    const last = log?.tail ?? log?.closed.at(-1);
    const streams = [...this.#msf.held.values()].filter(({ stream }) => stream.scopeUuid === uuid);
    return {
      gameUuid: uuid,
      gameId,
      league: league as League,
      final: (this.#catalog.artifacts.get(uuid) ?? []).some(({ dataset }) => dataset === 'sportsbook-lines'),
      live:
        log === undefined
          ? null
          : {
              generation: log.generation,
              version: log.version,
              seq: last?.seq ?? 0,
              rowsOfSegment: last?.rows ?? 0,
              rows: log.rows,
            },
      streams: streams.map(({ stream: { dataset, epoch, head, version } }) => ({
        dataset,
        epoch,
        revision: head?.revision ?? 0,
        version,
      })),
    };
  }
}
