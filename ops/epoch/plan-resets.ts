// Which streams a command resets, and what is kept of each. Changes nothing.

import { isLeague } from '../../core/league-code.ts';
import { leagueUuid } from '../../core/msf/ids.ts';
import type { MsfDataset } from '../../core/msf/types.ts';
import type { GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { MsfHistoryCatalog, StreamHistory } from '../../core/ports/catalog/msf-history.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { CommandFailure } from '../session/command.ts';
import { countKept, type KeptCount, type LogTools } from './kept-observations.ts';

type PlanTools = Pick<LogTools, 'broker'> & {
  catalogs: { games: Pick<GamesCatalog, 'find'>; msfHistory: Pick<MsfHistoryCatalog, 'histories'> };
};

/** The streams of these scopes, otherwise of a league, otherwise all; limited to these datasets if there are any. */
export type ResetScope = { scopes: readonly string[]; league: League | null; datasets: readonly MsfDataset[] };

/** `kept`: that of the scope. */
export type PlannedReset = { stream: StreamHistory; kept: KeptCount };

/** @throws CommandFailure when a scope is unknown, or a named stream does not exist */
export async function planResets(tools: PlanTools, asked: ResetScope): Promise<readonly PlannedReset[]> {
  const streams = await streamsOf(tools, asked);
  const counts = await countKept(tools, new Set(streams.map(({ scopeUuid }) => scopeUuid)));
  return streams.map((stream) => ({ stream, kept: counts.get(stream.scopeUuid) ?? { kept: 0, unreadable: 0 } }));
}

async function streamsOf({ catalogs }: PlanTools, asked: ResetScope): Promise<readonly StreamHistory[]> {
  const { scopes, league, datasets } = asked;
  const isAsked = ({ dataset }: StreamHistory) => datasets.length === 0 || datasets.includes(dataset);
  if (scopes.length === 0) {
    const all = (await catalogs.msfHistory.histories(null)).filter(isAsked);
    const found = all.filter((stream) => league === null || stream.league === league);
    if (found.length > 0) return found;
    throw new CommandFailure('failed', `${league ?? 'the service'} has no stream${ofDatasets(datasets)}`);
  }
  const found = new Map<string, readonly StreamHistory[]>();
  for (const scope of scopes) {
    const uuid = await scopeUuid(catalogs.games, scope);
    const streams = (await catalogs.msfHistory.histories(uuid)).filter(isAsked);
    if (streams.length === 0) throw new CommandFailure('failed', `${scope} has no stream${ofDatasets(datasets)}`);
    found.set(uuid, streams);
  }
  return [...found.values()].flat();
}

/** @throws CommandFailure */
async function scopeUuid(games: Pick<GamesCatalog, 'find'>, scope: string): Promise<string> {
  const code = scope.toUpperCase();
  const uuid = isLeague(code) ? leagueUuid(code) : (await games.find(scope))?.uuid;
  if (uuid === undefined) throw new CommandFailure('failed', `no game or league ${scope}`);
  return uuid;
}

function ofDatasets(datasets: readonly MsfDataset[]): string {
  return datasets.length === 0 ? '' : ` of ${datasets.join(', ')}`;
}
