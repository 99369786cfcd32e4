// What the administrator's commands share: exit codes, failures, printing, and opening drivers.

import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { Pepper } from '../../core/access/key-format.ts';
import { isLeague } from '../../core/league-code.ts';
import type { Broker } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { inOneLine, printable } from '../../core/printable.ts';
import { isSourceName } from '../../core/quotes/name-forms.ts';
import { placedBroker } from '../../platform/broker/placed-broker.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import { readSettings, type Settings } from '../../platform/config/settings.ts';
import { openLogLayoutsCatalog } from '../../platform/postgres/log-layouts-catalog.ts';
import type { NeededMigrations } from '../../platform/postgres/ready-database.ts';
import { onFirstEndSignal } from '../../platform/process/signals.ts';
import { openLog } from '../../platform/telemetry/log.ts';
import { type League, leagues } from '../../schemas/reference/leagues.ts';
import { type Catalogs, openCatalogs } from '../service/catalogs.ts';
import { wrongLink } from '../service/check-links.ts';
import { openBroker, openDatabase } from '../service/drivers.ts';
import { openObjects } from '../service/open-objects.ts';
import { readPeppers } from '../service/peppers.ts';

export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3 } as const;

/** A command failed. The message fits one line. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;
  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}

export type Session = {
  settings: Settings;
  catalogs: Catalogs;
  /** The peppers under which the service stores its keys. */
  peppers(): readonly Pepper[];
  /** The user who runs the command, for the audit trail. */
  actor: string;
  /** The log, opened on first use: for the few commands that append to it. */
  broker(): Promise<Broker>;
  /** The object store, opened on first use. */
  objects(): Promise<ObjectStore>;
  /** Aborts when the administrator interrupts, so that long commands end in good order. A second interruption ends the process at once. */
  interrupted: AbortSignal;
};

/** The log of a command: by default only what a person should know. */
export function openCommandLog({ logLevel }: Settings): Log {
  return openLog(logLevel === 'info' ? 'warn' : logLevel);
}

/** Runs `work` with the catalog open, and closes it in any case. `needed`: for the few commands that read an older schema too. */
export async function withCatalogs<T>(
  work: (session: Session) => Promise<T>,
  needed: NeededMigrations = 'all',
): Promise<T> {
  const settings = readSettings();
  const log = openCommandLog(settings);
  const database = await openDatabase(settings, log, needed);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => database.close());
  const used = { log: false, objects: false };
  const openedOnce = <T extends { close(): Promise<void> }>(
    what: keyof typeof used,
    open: () => Promise<T>,
  ): (() => Promise<T>) => {
    let opening: Promise<T> | null = null;
    return () => {
      used[what] = true;
      opening ??= open().then((made) => {
        opened.defer(() => made.close());
        return made;
      });
      return opening;
    };
  };
  const layouts = openLogLayoutsCatalog(database.sql);
  const broker = openedOnce('log', async () => placedBroker(await openBroker(settings, database.sql, log), layouts));
  const objects = openedOnce('objects', () => openObjects(settings, existingDataDir(settings)));
  const peppers = () => settings.peppers ?? readPeppers(existingDataDir(settings));
  const interruption = new AbortController();
  const listening = onFirstEndSignal(() => interruption.abort());
  try {
    const actor = userInfo().username;
    const interrupted = interruption.signal;
    const { sql } = database;
    return await work({ settings, catalogs: openCatalogs(sql), peppers, actor, broker, objects, interrupted });
  } catch (error) {
    if (error instanceof CommandFailure || error instanceof SettingError || interruption.signal.aborted) throw error;
    // Drivers describe wrong settings in their own ways, some of them as outages.
    throw (await wrongLink(settings, used)) ?? error;
  } finally {
    listening();
  }
}

/** The data directory of an existing service; no command creates one. In the distributed edition it only has notes. */
function existingDataDir({ edition, dataDir }: Settings): string {
  if (edition === 'embedded' && !existsSync(dataDir))
    throw new SettingError('SDS_DATA_DIR', `is ${dataDir}, and no directory is there`, './.data');
  return resolve(dataDir);
}

/** Prints a result: as JSON with `--json`, otherwise as text, of whose control characters only newlines stay. */
export function print(command: Command, value: unknown, text: string): void {
  process.stdout.write(command.optsWithGlobals().json === true ? `${JSON.stringify(value)}\n` : `${printable(text)}\n`);
}

/** Rows as aligned columns under a heading, each row in one line whatever its cells hold. */
export function table(heading: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = [heading, ...rows.map((row) => row.map((cell) => (cell === null ? '–' : inOneLine(String(cell)))))];
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The whole number of an option or argument, within its bounds. @throws CommandFailure usage */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new CommandFailure('usage', `${name} is ${text}, and must be a number from ${least} to ${most}`);
}

/** A league by its code, in any case. @throws CommandFailure usage */
export function leagueOf(text: string): League {
  const code = text.toUpperCase();
  if (isLeague(code)) return code;
  throw new CommandFailure('usage', `no league ${text}; use one of ${leagues.join(', ')}`);
}

/** The name of a source, in the form that the gateway accepts. @throws CommandFailure usage */
export function sourceOf(text: string): string {
  if (isSourceName(text)) return text;
  throw new CommandFailure(
    'usage',
    `${text || 'an empty name'} is not a source name: it must match [a-z0-9][a-z0-9_-]{0,63}`,
  );
}

/**
 * Shows the plan on standard error, and continues only with `--yes`, or if the name is typed on a terminal. A feed chose some of what plans
 * name. @throws CommandFailure refused
 */
export async function confirm(plan: string, name: string, yes: boolean): Promise<void> {
  const shown = inOneLine(plan);
  if (yes) {
    process.stderr.write(`${shown}\n`);
    return;
  }
  if (!process.stdin.isTTY) throw new CommandFailure('refused', `${shown}; nothing was done: add --yes`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const interruption = new AbortController();
  lines.once('SIGINT', () => interruption.abort()).once('close', () => interruption.abort());
  try {
    const answer = await lines
      .question(`${shown}\nType ${name} to go on: `, { signal: interruption.signal })
      .catch(() => '');
    if (answer.trim() !== name) throw new CommandFailure('refused', 'nothing was done');
  } finally {
    lines.close();
  }
}
