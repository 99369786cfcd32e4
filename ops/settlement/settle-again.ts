// Rebuilds the final files of many games with the rules and columns of this release: shows a plan first, and progress on standard error.
import type { Command } from 'commander';
import { anyGame, type CatalogGame } from '../../core/ports/catalog/games.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { CommandFailure, confirm, leagueOf, print, type Session } from '../session/command.ts';
import { type CommandLease, heldByAnother, underLease } from '../session/command-lease.ts';
import { eachGame } from '../session/each-game.ts';
import { openSteps } from '../session/progress.ts';
import { waitForSettlement } from './wait-until-built.ts';

export type SpanOptions = { league?: string; from?: string; to?: string; yes?: true };

/** A second command would have the same versions built once more. */
const settleLease: CommandLease = { name: 'settle-again', commands: 'sds games settle --again' };

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
  await underLease(session.catalogs.leases, settleLease, systemClock.now, async (holds) => {
    const { settled, failed, isHeld } = await settleEach(session, games, holds);
    print(command, { games: games.length, settled, failed }, `${settled} of ${games.length} games settled again`);
    if (!isHeld) throw heldByAnother(settleLease, `${settled} of ${games.length} games are settled again`);
    if (settled + failed.length < games.length)
      throw new CommandFailure('failed', 'interrupted: run it again, which settles all of them again');
    if (failed.length > 0)
      throw new CommandFailure('failed', `${failed.length} games are not rebuilt yet; see ./sds status`);
  });
}

/** `failed`: the games that no worker has built in time; `isHeld` false: another command has taken the lease. */
async function settleEach(
  { catalogs: { settlement }, actor, interrupted }: Session,
  games: readonly CatalogGame[],
  holds: () => Promise<boolean>,
): Promise<{ settled: number; failed: string[]; isHeld: boolean }> {
  // Each look renews the lease: a worker may need longer than the lease lasts.
  const state = async (uuid: string) => {
    await holds();
    return settlement.state(uuid);
  };
  const waiting = { settlement: { state }, clock: systemClock, interrupted };
  const failed: string[] = [];
  let settled = 0;
  const stepDone = openSteps({ steps: 'games', unit: 'games', sizes: games.map(() => 1) });
  for (const { uuid, gameId } of games) {
    if (interrupted.aborted) break;
    if (!(await holds())) return { settled, failed, isHeld: false };
    await settlement.orderAgain({ uuid, gameId }, actor);
    const built = await waitForSettlement(waiting, uuid, (each) => each.built);
    // Its order stands: the workers carry it out without this command.
    if (built === null && interrupted.aborted) break;
    if (built === null) failed.push(gameId);
    else settled += 1;
    stepDone(built === null ? `${gameId} is not rebuilt yet` : gameId);
  }
  return { settled, failed, isHeld: true };
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
