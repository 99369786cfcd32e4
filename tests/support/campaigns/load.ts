// What a campaign pushes: seeded offers of a dozen games by three sportsbooks, which move prices and lines, leave
// selections out, suspend, withdraw and make mistakes. A pusher behaves like a feed operator: it repeats a push until
// it is answered, and remembers every acknowledgement. msf-load.ts pushes MSF bodies.
import { setTimeout as delay } from 'node:timers/promises';
import { hasEnded } from '../../../core/games/status.ts';
import { nilUuid } from '../../../core/games/uuid.ts';
import type { Broker, OutgoingRecord } from '../../../core/ports/broker.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import type { GivenGame } from '../../oracle/generate-msf.ts';
import { generateRecords } from '../../oracle/generate-records.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { answeredInTime } from '../http/answered-in-time.ts';
import { until } from '../services/until.ts';

export type Acknowledged = { receipt: string; accepted: number };

export type Load = {
  acknowledged: Acknowledged[];
  /** Attempts that got no 202: refused connections, broken ones, 5xx. */
  failures: number;
  /** How often each status was answered; 0 stands for no answer. */
  statuses: Map<number, number>;
  /** Answers that no client should ever get. */
  surprises: string[];
  stop(): Promise<void>;
};

const teams = [
  'ARI',
  'ATL',
  'BAL',
  'BOS',
  'CHC',
  'CIN',
  'CLE',
  'COL',
  'DET',
  'HOU',
  'KC',
  'LAA',
  'LAD',
  'MIA',
  'MIL',
  'MIN',
  'NYM',
  'NYY',
  'PHI',
  'PIT',
  'SD',
  'SEA',
  'SF',
  'STL',
];
const books = ['alpha', 'beta', 'gamma'];

export type LoadOptions = {
  gatewayUrl: string;
  feedKey: string;
  seed: number;
  games: number;
  pushers: number;
  /** The least time between two pushes of a pusher. */
  pauseMs: number;
  /** When the games begin, in milliseconds. */
  startsAt: number;
};

/** The games of a load, by the names that all sources use. */
export function slateOf({ games, startsAt }: Pick<LoadOptions, 'games' | 'startsAt'>): GivenGame[] {
  return Array.from({ length: games }, (_, game) => ({
    league: 'MLB',
    home: teams[2 * game] as string,
    away: teams[2 * game + 1] as string,
    start: startsAt,
  }));
}

export function startLoad(options: LoadOptions): Load {
  const startsAt = new Date(options.startsAt).toISOString();
  return startPushers(options, async (number, push, pause) => {
    const random = seededRandom(options.seed * 31 + number);
    for (let count = 0; await pause(random); count += 1) {
      const events = Array.from({ length: 1 + random.integer(3) }, () => eventOf(random, options.games, startsAt));
      const key = random.chance(0.5) ? `${options.seed}-${number}-${count}` : null;
      await push({ path: `feed${number}/quotes`, body: JSON.stringify({ events }), key });
    }
  });
}

/** A body for a route of a source. `isBad`: the gateway may refuse all of it. */
export type Pushed = {
  path: string;
  body: string;
  key: string | null;
  headers?: Readonly<Record<string, string>>;
  isBad?: boolean;
};

/** `push`: repeats until it is answered; false if the load was stopped first. `pause`: waits, and returns whether to continue. */
export type Pusher = (
  number: number,
  push: (pushed: Pushed) => Promise<boolean>,
  pause: (random: Random) => Promise<boolean>,
) => Promise<void>;

/** Starts pushers that run until the load is stopped. */
export function startPushers(
  options: Pick<LoadOptions, 'gatewayUrl' | 'feedKey' | 'pushers' | 'pauseMs'>,
  pusher: Pusher,
): Load {
  const stopped = new AbortController();
  const load: Load = {
    acknowledged: [],
    failures: 0,
    statuses: new Map(),
    surprises: [],
    async stop() {
      stopped.abort();
      await done;
    },
  };
  const pause = async (random: Random): Promise<boolean> => {
    const ms = options.pauseMs * (0.5 + random.integer(100) / 100);
    await delay(ms, undefined, { signal: stopped.signal }).catch(() => {});
    return !stopped.signal.aborted;
  };
  const push = (pushed: Pushed): Promise<boolean> => pushUntilAnswered(options, pushed, load, stopped.signal);
  const done = Promise.all(Array.from({ length: options.pushers }, (_, number) => pusher(number, push, pause)));
  return load;
}

async function pushUntilAnswered(
  { gatewayUrl, feedKey }: Pick<LoadOptions, 'gatewayUrl' | 'feedKey'>,
  { path, body, key, headers = {}, isBad = false }: Pushed,
  load: Load,
  stopped: AbortSignal,
): Promise<boolean> {
  const note = (status: number): unknown => load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1);
  while (!stopped.aborted) {
    try {
      const asked = {
        method: 'POST',
        body,
        headers: {
          authorization: `Bearer ${feedKey}`,
          'content-type': 'application/json',
          ...headers,
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
      };
      const url = `${gatewayUrl}/v1/sources/${path}`;
      const response = await answeredInTime(() => fetch(url, { ...asked, signal: AbortSignal.timeout(20_000) }));
      note(response.status);
      const answer = (await response.json()) as Acknowledged & { rejected?: unknown[] };
      if (response.status === 202) {
        load.acknowledged.push({ receipt: answer.receipt, accepted: answer.accepted });
        return true;
      }
      if (response.status === 400 && (answer.rejected !== undefined || isBad)) return true;
      if (response.status < 500 && response.status !== 429)
        load.surprises.push(`push to ${path}: ${response.status} ${JSON.stringify(answer)}`);
    } catch {
      note(0);
      // No answer: the push may or may not be in the log.
    }
    load.failures += 1;
    await delay(200);
  }
  return false;
}

/** The nth game of a load, as a native event names it. */
export function gameWords(game: number, startsAt: string): object {
  return {
    league: 'MLB',
    event_id: `event-${game}`,
    home_team: teams[2 * game],
    away_team: teams[2 * game + 1],
    commence_time: startsAt,
  };
}

/** The offer of one sportsbook for one game. */
export function eventOf(random: Random, games: number, startsAt: string, operators: readonly string[] = books): object {
  const game = random.integer(games);
  const operator = random.pick(operators);
  const event = { operator, game: gameWords(game, startsAt) };
  const kind = random.pick(['image', 'image', 'delta', 'delta', 'heartbeat']);
  if (kind === 'heartbeat') return { kind, ...event };
  const quotes = offerOf(random)
    .filter(() => random.chance(kind === 'image' ? 0.9 : 0.3))
    .map((quote) => (kind === 'delta' && random.chance(0.1) ? { ...quote, state: 'withdrawn' } : quote));
  return { kind, ...event, in_play: random.pick([null, null, true, false]), quotes };
}

export function offerOf(random: Random): object[] {
  const american = (): number => random.pick([1, -1]) * (100 + random.integer(60));
  const quote = (market: string, selection: string, line: number | null): object => ({
    market,
    selection,
    ...(line === null ? {} : { line }),
    ...(random.chance(0.05) ? { state: 'suspended' } : {}),
    // One price in a hundred is invalid, so that good quotes and a dead letter come in one push.
    price: { american: random.chance(0.01) ? 50 : american() },
  });
  const total = 7 + random.integer(3) / 2;
  const alternates = Array.from({ length: 6 }, (_, step) => ({
    ...quote('total', 'over', 5.5 + step),
    alternate: true,
  }));
  return [
    quote('moneyline', 'home', null),
    quote('moneyline', 'away', null),
    quote('spread', 'home', -1.5),
    quote('spread', 'away', 1.5),
    quote('total', 'over', total),
    quote('total', 'under', total),
    ...alternates,
  ];
}

/** Closes a game as `sds games settle` does. */
export async function endGame(broker: Broker, game: { uuid: string; id: string; league: string }): Promise<void> {
  const blank = blankRecord({ ...game, gameId: game.id }, 'service', Date.now() * 1_000);
  await broker.produce(topics.quotes, [{ key: game.uuid, value: { ...blank, settle: { actor: 'campaign' } } }]);
}

/**
 * Appends records of a hostile producer to the log, about existing games and at current times. `mayEnd`: some of them
 * close games. Answers how many.
 */
export async function produceDirect(
  broker: Broker,
  games: readonly { uuid: string; id: string; league: string }[],
  seed: number,
  count: number,
  mayEnd: boolean,
): Promise<number> {
  const records = generateRecords(seed, count);
  const shift = Date.now() * 1_000 - Number(records.at(-1)?.timestamp ?? 0);
  const moved = (_: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return Number(value) + shift;
    return typeof value === 'number' && value > 1e15 ? value + shift : value;
  };
  let partitions = 0;
  // Its connection may be from before an outage. That call fails, and the next one opens another.
  await until('the log answers', async () => {
    partitions = await broker.partitions(topics.quotes);
    return true;
  });
  const outgoing = records.flatMap(({ value }, index): OutgoingRecord[] => {
    if (value.game_uuid === nilUuid) {
      const record = JSON.parse(JSON.stringify(value), moved) as QuotesRecord;
      return [{ key: nilUuid, partition: index % partitions, value: record }];
    }
    const game = games[Number(value.game_uuid.at(-1)) % games.length];
    if (game === undefined) return [];
    const record = JSON.parse(JSON.stringify(value), moved) as QuotesRecord;
    const at = { game_uuid: game.uuid, game_id: game.id, league: game.league, source: `direct-${value.source}` };
    // While a load runs its games must stay open: no hostile record may close one.
    const ends = record.status !== null && hasEnded(record.status.status);
    const open = mayEnd ? { owner: null } : { owner: null, settle: null, status: ends ? null : record.status };
    return [{ key: game.uuid, value: { ...record, ...at, ...open } satisfies QuotesRecord }];
  });
  for (let from = 0; from < outgoing.length; from += 20)
    await broker.produce(topics.quotes, outgoing.slice(from, from + 20));
  return outgoing.length;
}
