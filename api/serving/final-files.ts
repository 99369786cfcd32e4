// Finds the final file of a request. A file in memory is served; only the catalog may say that there is none, or no newer one
// (docs/interface.md#what-an-instance-remembers). Versions never change, so older versions of a dataset are read once and remembered.
import { LRUCache } from 'lru-cache';
import type { Artifact, ArtifactsCatalog } from '../../core/ports/catalog/artifacts.ts';
import { type Refusal, refuse } from '../../http/refusal.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';
import type { GameIdentity } from './game-directory.ts';
import { liveAddresses } from './live-manifests.ts';
import type { ServedGames } from './served-games.ts';

export type FinalFiles = {
  /** The newest version of a dataset; if memory has one older than `atLeast`, the catalog is asked. */
  newest(game: GameIdentity, dataset: string, atLeast?: number): Promise<Artifact | Refusal>;
  /** The versions of a dataset up to `newest`, newest first. */
  versions(newest: Artifact): Promise<readonly Artifact[]>;
};

const rememberedDatasets = 5_000;

export function openFinalFiles(options: {
  artifacts: Pick<ArtifactsCatalog, 'versions'>;
  servedGames: ServedGames;
  deadlines: Deadlines;
}): FinalFiles {
  const { artifacts, servedGames, deadlines } = options;
  const known = new LRUCache<string, readonly Artifact[]>({ max: rememberedDatasets });

  async function allOf({ gameUuid, dataset, version }: Artifact): Promise<readonly Artifact[]> {
    const name = `${gameUuid} ${dataset}`;
    const held = known.get(name);
    if (held?.some((one) => one.version === version)) return held;
    const found = await deadlines.catalog(() => artifacts.versions(gameUuid, dataset));
    known.set(name, found);
    return found;
  }

  return {
    async newest(game, dataset, atLeast = 1) {
      const remembered = servedGames.peek(game.uuid) ?? (await servedGames.current(game.uuid));
      const held = remembered.artifacts.get(dataset);
      if (held !== undefined && held.version >= atLeast) return held;
      const served = await servedGames.latest(game.uuid);
      const landed = served.artifacts.get(dataset);
      if (landed !== undefined) return landed;
      return dataset === sportsbookLines.name && served.live !== null ? stillLive(game) : noneOf(dataset);
    },
    async versions(newest) {
      const all = await allOf(newest);
      return all.filter(({ version }) => version <= newest.version);
    },
  };
}

function stillLive({ gameId }: GameIdentity): Refusal {
  return refuse('not-final', { members: { game_id: gameId, live: liveAddresses(gameId) } });
}

function noneOf(dataset: string): Refusal {
  return refuse('not-found', {
    title: `No ${inWords(dataset)} for this game`,
    detail:
      'The dataset does not cover the league, or the file does not exist yet: files appear shortly after a game settles.',
  });
}

/** 404 of a version that has not landed. */
export function noSuchVersion(newest: Artifact, version: number): Refusal {
  return refuse('not-found', {
    title: `No ${inWords(newest.dataset)} of version ${version} for this game`,
    detail: `The newest version is ${newest.version}.`,
  });
}

function inWords(dataset: string): string {
  return dataset.replaceAll('-', ' ');
}
