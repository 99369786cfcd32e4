// `sds backup`: a backup of a service, while it runs or not (docs/backup.md).
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { readSettings } from '../../platform/config/settings.ts';
import { onFirstEndSignal } from '../../platform/process/signals.ts';
import { names } from '../backup/backup-folder.ts';
import { refuseGivenDatabase } from '../backup/own-edition.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { openBroker, openOwnDatabase } from '../service/drivers.ts';
import { openObjects } from '../service/open-objects.ts';
import { versionOfRelease } from '../service/version-of-release.ts';
import { CommandFailure, openCommandLog, print } from '../session/command.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('back up the service into a new folder, while it runs or not')
    .argument('<folder>', 'made by the command; it holds secrets, and only its owner can read it')
    .option('--without-lost', 'back up the rest where the object store has lost some of what the catalog names')
    .option('--json', 'print JSON')
    .action(async (given: string, options: { withoutLost?: true }, command: Command) => {
      const settings = readSettings();
      refuseGivenDatabase(settings);
      const folder = resolve(given);
      if (existsSync(folder)) throw new CommandFailure('refused', `${folder} exists: a backup is made in a new folder`);
      const log = openCommandLog(settings);
      const dataDir = resolve(settings.dataDir);
      await using opened = new AsyncDisposableStack();
      const database = opened.adopt(await openOwnDatabase(settings, log), (each) => each.close());
      const store = opened.adopt(await openObjects(settings, dataDir), (each) => each.close());
      const isDistributed = settings.edition === 'distributed';
      const broker = isDistributed
        ? opened.adopt(await openBroker(settings, database.sql, log), (each) => each.close())
        : null;
      const interruption = new AbortController();
      const listening = onFirstEndSignal(() => interruption.abort());
      try {
        const described = await takeBackup(
          {
            sql: database.sql,
            objects: store,
            log: broker,
            peppers: settings.peppers === null ? ownPeppers(dataDir) : null,
            release: versionOfRelease(),
            withoutLost: options.withoutLost === true,
            interrupted: interruption.signal,
          },
          folder,
        );
        const { taken_at, rows, objects, bytes, lost = 0 } = described;
        const text = `${folder}: everything acknowledged before ${taken_at}: ${rows} rows, ${objects} objects (${bytes} bytes)${lost === 0 ? '' : `, without ${lost} that the object store has lost`}`;
        print(command, { folder, taken_at, rows, objects, bytes, lost }, text);
      } catch (error) {
        if (interruption.signal.aborted) throw new CommandFailure('failed', 'interrupted: no backup was made');
        throw error;
      } finally {
        listening();
      }
    });
}

/** @throws CommandFailure when there are none: a backup without them would know no key */
function ownPeppers(dataDir: string): string {
  const file = join(dataDir, names.peppers);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new CommandFailure(
    'failed',
    `${file} is missing, and without it no key can be checked: put it back from an older backup, or set SDS_KEY_PEPPERS to its contents; the first start of a service makes it`,
  );
}
