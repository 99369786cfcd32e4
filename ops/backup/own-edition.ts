// Which services these backups are of.
import type { Settings } from '../../platform/config/settings.ts';
import { CommandFailure } from '../session/command.ts';

/** @throws CommandFailure for a service whose database is not its own */
export function refuseOtherEdition({ edition, databaseUrl }: Settings): void {
  if (edition === 'embedded' && databaseUrl === null) return;
  throw new CommandFailure(
    'refused',
    '`./sds backup` and `./sds restore` are for the embedded edition with its own database: docs/backup.md says how the distributed edition is backed up',
  );
}
