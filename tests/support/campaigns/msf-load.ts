// The MSF bodies that a campaign pushes along with the quotes: generated games one after another, each from start to
// end, at current times. Bodies grow, are corrected, shrink, come late, come twice or are broken; some are so large
// that the gateway stores them as objects. The first games are those of the quotes, under MSF's own ids.
import { randomBytes } from 'node:crypto';
import type { Broker } from '../../../core/ports/broker.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { type GeneratedMsf, type GivenGame, generateMsf } from '../../oracle/generate-msf.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { frameOf, observationRecord } from '../folds/msf-log.ts';
import { type Load, type LoadOptions, startPushers } from './load.ts';

export type MsfLoadOptions = Omit<LoadOptions, 'games' | 'startsAt'> & { met: readonly GivenGame[] };

const second = 1_000;
const day = 86_400 * second;

/** Larger than a record: an element that contains it is stored as an object. Constant, so that a body can be pushed twice. */
const ballast = 'x'.repeat(950_000);

/** Starts pushing; each pusher pushes one set of games after another. */
export function startMsfLoad(options: MsfLoadOptions): Load {
  return startPushers(options, async (number, push, pause) => {
    for (let round = 0; ; round += 1) {
      const nth = round * options.pushers + number;
      const random = seededRandom(options.seed * 1_009 + nth);
      for (const [index, body] of gamesOf(options, nth, random).entries()) {
        if (!(await pause(random))) return;
        const key = random.chance(0.5) ? `msf-${options.seed}-${nth}-${index}` : null;
        // Every other set is pushed at times eleven minutes ago, so that a finished game of it closes at once.
        const agoMs = nth % 2 === 0 ? 11 * 60 * second : 0;
        await push({ ...asOf(Date.now() - agoMs, body, random.chance(0.01)), key });
      }
    }
  });
}

/** Two sets have no id and no game of the same day in common. */
function gamesOf({ seed, met }: MsfLoadOptions, nth: number, random: Random): readonly GeneratedMsf[] {
  const from = Date.now() - nth * day;
  const games = nth === 0 && met.length > 0 ? { games: met } : {};
  return generateMsf(seed * 131 + nth, random.pick([30, 60, 120]), { firstId: 700_001 + 10 * nth, from, ...games });
}

/** The body with the stamps and the request start of a body received at `at`. */
function asOf(at: number, push: GeneratedMsf, isLarge: boolean) {
  const { league, season, feed, game, requestedAt, receivedAt, isBad } = push;
  const shift = at - receivedAt;
  const moved = (time: number): string => new Date(time + shift).toISOString();
  const stamped = push.text.replace(
    /"lastUpdatedOn":"([^"]*)"/g,
    (_, stamp: string) => `"lastUpdatedOn":"${moved(Date.parse(stamp))}"`,
  );
  const body = isLarge && !isBad ? stamped.replace(/}$/, `,"ballast":"${ballast}"}`) : stamped;
  const query = game === null ? '' : `?game=${game}`;
  const headers: Record<string, string> = {};
  if (requestedAt !== null) headers['x-request-started-at'] = moved(requestedAt);
  return { path: `msf/msf/${league.toLowerCase()}/${season}/${feed}${query}`, body, headers, isBad };
}

/** The codes with which the fold refuses records of a hostile producer: each record names its code in its source. */
export const strangers = ['bad-key', 'bad-record', 'bad-element', 'bad-body'] as const;

/**
 * Appends records of a hostile producer directly to the log, in the scopes of these games: each must become a dead letter and change
 * nothing.
 */
export async function produceStrangers(
  broker: Broker,
  games: readonly { uuid: string; id: string; league: string }[],
): Promise<number> {
  const outgoing = games.flatMap(({ uuid, id, league }) => {
    const scope = { kind: 'game', uuid, id, league: league as 'NBA' } as const;
    const body = { game: { id: 1 }, plays: [] };
    const push = { feed: 'playbyplay' as const, requested: null, at: Date.now() * 1_000, body };
    return strangers.map((code) => {
      const record = { ...observationRecord(scope, push, 1, body), source: `stranger-${code}` };
      const { observation } = record;
      if (observation === null) throw new Error('an observation');
      if (code === 'bad-key') return { key: `${uuid}-not`, value: record };
      if (code === 'bad-record') return { key: uuid, value: { ...frameOf(scope), source: record.source } };
      if (code === 'bad-body') return { key: uuid, value: record };
      const held = { sha256: randomBytes(32).toString('hex'), size: 1_000_000 };
      return { key: uuid, value: { ...record, observation: { ...observation, element: null, held } } };
    });
  });
  if (outgoing.length > 0) await broker.produce(topics.observations, outgoing);
  return outgoing.length;
}
