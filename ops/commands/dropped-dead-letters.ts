// How many dead letters retention has deleted, as `sds status` and `sds dlq summary` show it.
import type { DeadLettersCatalog } from '../../core/ports/catalog/dead-letters.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { table } from '../session/command.ts';

/** `shown`: for JSON; `text`: empty if none was deleted. */
export async function droppedDeadLetters(catalog: Pick<DeadLettersCatalog, 'dropped'>) {
  const shown = (await catalog.dropped()).map((each) => ({ ...each, newest: formatMicros(each.newest) }));
  const rows = shown.map(({ source, code, letters, newest }) => [source || null, code, letters, newest]);
  const lines = ['dead letters dropped by their retention:', table(['source', 'code', 'letters', 'newest'], rows)];
  return { shown, text: rows.length === 0 ? [] : lines };
}
