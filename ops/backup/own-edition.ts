// Which services can be backed up like this.
import type { Settings } from '../../platform/config/settings.ts';
import { CommandFailure } from '../session/command.ts';

/** @throws CommandFailure for an embedded edition with an external database */
export function refuseGivenDatabase({ edition, databaseUrl }: Settings): void {
  if (edition === 'distributed' || databaseUrl === null) return;
  throw new CommandFailure(
    'refused',
    '`./sds backup` and `./sds restore` are not for an embedded edition whose database is given: back up that database, and the folder of objects after it (docs/backup.md)',
  );
}
