// `sds restore`: makes a service from a backup: a data directory, or the contents of a database, a bucket and a Kafka cluster. It replaces
// nothing: an existing service is never touched (docs/backup.md).
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { readSettings } from '../../platform/config/settings.ts';
import { readDiskStore } from '../../platform/objects/disk.ts';
import { schemaDistance } from '../../platform/postgres/migrate.ts';
import { onFirstEndSignal } from '../../platform/process/signals.ts';
import { describedBackup, names } from '../backup/backup-folder.ts';
import { refuseGivenDatabase } from '../backup/own-edition.ts';
import { contentsOf, isMount, restoreBackup } from '../backup/restore-backup.ts';
import { restoreDistributed } from '../backup/restore-distributed.ts';
import { assertWhole } from '../backup/whole-backup.ts';
import { CommandFailure, openCommandLog, print } from '../session/command.ts';

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'make a service of a backup: SDS_DATA_DIR names a new directory; distributed: the settings name a database, bucket and Kafka that are empty',
    )
    .argument('<folder>', 'of `sds backup`')
    .option('--json', 'print JSON')
    .action(async (given: string, _options: unknown, command: Command) => {
      const settings = readSettings();
      refuseGivenDatabase(settings);
      const [folder, dataDir] = [resolve(given), resolve(settings.dataDir)];
      const described = describedBackup(folder);
      if (described === 'none')
        throw new CommandFailure(
          'failed',
          `${folder} is no backup, or one that was not finished: it has no ${names.description}`,
        );
      if (described === 'damaged')
        throw new CommandFailure(
          'failed',
          `${folder} is damaged: ${names.description} cannot be read; put it back from another copy of the backup, or restore another backup`,
        );
      const { edition = 'embedded' } = described;
      if (edition !== settings.edition)
        throw new CommandFailure('refused', `the backup is of the ${edition} edition: set SDS_EDITION=${edition}`);
      if (edition === 'embedded') refusePlace(dataDir);
      const own = schemaDistance([]).pending;
      const last = `${described.migrations.at(-1)}`;
      if (described.migrations.length !== own.length || !own.at(-1)?.endsWith(last))
        throw new CommandFailure(
          'refused',
          `the backup is of release ${described.release}, whose schema ends with ${last}: restore it with that release, then start this one on it`,
        );
      const interruption = new AbortController();
      const listening = onFirstEndSignal(() => interruption.abort());
      const kept = readDiskStore(join(folder, names.objects));
      try {
        await assertWhole(folder, described, kept, interruption.signal);
        const restore = edition === 'embedded' ? restoreBackup : restoreDistributed;
        await restore(folder, described, kept, settings, openCommandLog(settings), interruption.signal);
      } catch (error) {
        if (interruption.signal.aborted) throw new CommandFailure('failed', 'interrupted: nothing can start on it');
        throw error;
      } finally {
        listening();
      }
      const { taken_at, rows, objects } = described;
      const place = edition === 'embedded' ? dataDir : 'restored';
      const text = `${place}: as of ${taken_at}: ${rows} rows, ${objects} objects; \`./sds verify\` checks it`;
      const where = edition === 'embedded' ? { data_dir: dataDir } : {};
      print(command, { ...where, taken_at, rows, objects }, text);
    });
}

/** @throws CommandFailure when no data directory can be made there */
function refusePlace(dataDir: string): void {
  const contents = contentsOf(dataDir);
  if (contents !== null)
    throw new CommandFailure('refused', `${dataDir} ${contents}: set SDS_DATA_DIR to a new directory`);
  if (isMount(dataDir))
    throw new CommandFailure(
      'refused',
      `${dataDir} is where a file system is mounted, and is made beside its place: set SDS_DATA_DIR to a new directory below it`,
    );
}
