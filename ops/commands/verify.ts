// `sds verify`: verifies published data, file by file. Reads everything anew and changes nothing.
import { Command } from 'commander';
import { anyGame } from '../../core/ports/catalog/games.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { openRawArchive } from '../../platform/raw-archive/raw-archive.ts';
import { CommandFailure, print, type Session, withCatalogs } from '../session/command.ts';
import { eachGame } from '../session/each-game.ts';
import { interruptibleStore } from '../session/interruptible-store.ts';
import { Report } from '../verify/report.ts';
import { verifyArchive } from '../verify/verify-archive.ts';
import { verifyGames } from '../verify/verify-games.ts';
import { verifyHalts } from '../verify/verify-halts.ts';
import { verifyStreams } from '../verify/verify-streams.ts';

/** Most violations on the screen; `--json` prints all. */
const shown = 20;

export function verifyCommand(): Command {
  return new Command('verify')
    .description('verify published data: rebuild every stream, check every digest, row count and file hash')
    .argument('[game]', 'public id or UUID; default: everything')
    .option('--archive', 'verify the raw archive instead, and compare it with the log')
    .option('--json', 'print JSON')
    .action((id: string | undefined, options: { archive?: true }, command: Command) => {
      const ofArchive = options.archive === true;
      if (ofArchive && id !== undefined)
        throw new CommandFailure('usage', '--archive verifies the whole raw archive: name no game');
      return withCatalogs(async (session) => {
        try {
          conclude(await (ofArchive ? verifyRawArchive(session) : verifyPublished(session, id)), command);
        } catch (error) {
          if (session.interrupted.aborted) throw new CommandFailure('failed', 'interrupted; nothing was changed');
          throw error;
        }
      });
    });
}

/** Of a game, or of everything. */
async function verifyPublished(session: Session, id: string | undefined): Promise<Verified> {
  const { catalogs, interrupted } = session;
  const game = id === undefined ? null : await catalogs.games.find(id);
  if (id !== undefined && game === null) throw new CommandFailure('failed', `no game ${id}`);
  const report = new Report();
  const objects = interruptibleStore(await session.objects(), interrupted);
  const { artifacts, games, live, msf, msfHistory: history, settlement: settlements } = catalogs;
  const tools = { objects, parquet: parquetWriter, report, msf, history, artifacts };
  const finals = { ...tools, games, live, settlements };
  await verifyStreams(tools, game?.uuid ?? null);
  if (game !== null) {
    await verifyGames(finals, [game], 1, interrupted);
  } else {
    const { games: all } = await catalogs.operations.gameCounts();
    await verifyGames(finals, eachGame(games, anyGame), all, interrupted);
    await verifyHalts(catalogs.operations, report);
  }
  return { subject: game?.gameId ?? 'everything', report };
}

async function verifyRawArchive(session: Session): Promise<Verified> {
  const report = new Report();
  const archive = openRawArchive(interruptibleStore(await session.objects(), session.interrupted));
  await verifyArchive({ broker: await session.broker(), archive, report });
  return { subject: 'the raw archive', report };
}

type Verified = { subject: string; report: Report };

/** @throws CommandFailure when something is violated */
function conclude({ subject, report }: Verified, command: Command): void {
  const { checked, violations } = report;
  print(command, { checked, violations }, screen(subject, report));
  if (violations.length > 0) throw new CommandFailure('failed', `${violations.length} violations`);
}

function screen(subject: string, { checked, violations }: Report): string {
  const counts = Object.entries(checked).map(([what, number]) => `${number} ${what}`);
  const lines = [`${subject}: ${counts.join(', ') || 'nothing is there'}`];
  for (const { invariant, subject: where, detail } of violations.slice(0, shown))
    lines.push(`${invariant}  ${where}: ${detail}`);
  if (violations.length > shown) lines.push(`and ${violations.length - shown} more`);
  if (violations.length === 0) lines.push('everything holds');
  return lines.join('\n');
}
