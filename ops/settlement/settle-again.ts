// Rebuilds the final files of many games with the rules and columns of this release: shows a plan first, and progress on standard error.
import type { Command } from 'commander';
import { anyGame, type CatalogGame } from '../../core/ports/catalog/games.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { CommandFailure, confirm, leagueOf, print, type Session } from '../session/command.ts';
import { eachGame } from '../session/each-game.ts';
import { openSteps } from '../session/progress.ts';
import { waitForSettlement } from './wait-until-built.ts';

export type SpanOptions = { league?: string; from?: string; to?: string; yes?: true };

const dateForm = /^\d{4}-\d{2}-\d{2}$/;

export async function settleAgain(session: Session, options: SpanOptions, command: Command): Promise<void> {
  const { settlement } = session.catalogs;
  const games: CatalogGame[] = [];
  for await (const game of eachGame(session.catalogs.games, queryOf(options))) {
    const state = await settlement.state(game.uuid);
    if (state !== null && state.closedAt !== null) games.push(game);
  }
  const span = [options.league?.toUpperCase(), options.from, options.to].filter((part) => part !== undefined);
  const plan = `the final files of ${games.length} settled games are made anew; a version is cut where rows differ`;
  await confirm(plan, span.join(' ') || 'all', options.yes === true);
  const waiting = { settlement, clock: systemClock, interrupted: session.interrupted };
  const failed: string[] = [];
  let settled = 0;
  const stepDone = openSteps({ steps: 'games', unit: 'games', sizes: games.map(() => 1) });
  for (const { uuid, gameId } of games) {
    if (session.interrupted.aborted) break;
    await settlement.orderAgain({ uuid, gameId }, session.actor);
    const state = await waitForSettlement(waiting, uuid, ({ built }) => built);
    // Its order stands: the workers carry it out without this command.
    if (state === null && session.interrupted.aborted) break;
    if (state === null) failed.push(gameId);
    else settled += 1;
    stepDone(state === null ? `${gameId} is not rebuilt yet` : gameId);
  }
  print(command, { games: games.length, settled, failed }, `${settled} of ${games.length} games settled again`);
  if (settled + failed.length < games.length)
    throw new CommandFailure('failed', 'interrupted: run it again, which settles all of them again');
  if (failed.length > 0)
    throw new CommandFailure('failed', `${failed.length} games are not rebuilt yet; see ./sds status`);
}

function queryOf({ league, from, to }: SpanOptions): typeof anyGame {
  return {
    ...anyGame,
    league: league === undefined ? null : leagueOf(league),
    dateFrom: dateOf('--from', from),
    dateTo: dateOf('--to', to),
  };
}

function dateOf(option: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (dateForm.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new CommandFailure('usage', `${option} is ${text}, and must be a date such as 2026-08-05`);
}
