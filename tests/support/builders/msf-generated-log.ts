// The records that the gateway would append for generated games: each body is read, split and scoped; refused parts are
// left out.
import type { MsfFeed } from '../../../core/msf/types.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parseJsonElement } from '../../../ingest/adapters/json-body.ts';
import { adaptMsfBody } from '../../../ingest/adapters/msf-body.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { generateMsf } from '../../oracle/generate-msf.ts';
import type { LoggedRecord } from '../arbitraries/msf.ts';
import { PureMsf } from '../folds/msf-log.ts';

/** The log of some games. Logs with different `number` have different games. */
export function generatedRecords(seed: number, number = 0): LoggedRecord[] {
  const msf = new PureMsf();
  return generateMsf(seed, 40, { firstId: 900_001 + 10 * number }).flatMap((push) => {
    const route = { league: push.league as League, feed: push.feed as MsfFeed, game: push.game };
    const { elements } = runToEnd(adaptMsfBody(Buffer.from(push.text), route));
    const body = parseJsonElement(Buffer.from(push.text));
    if (elements.length === 0 || body.kind === 'malformed') return [];
    const requested = push.requestedAt === null ? null : push.requestedAt * 1_000;
    const at = push.receivedAt * 1_000;
    const { folded } = msf.push({ ...route, requested, at, body: body.value });
    return folded.map(({ record }) => ({ record, at, body: null }));
  });
}
