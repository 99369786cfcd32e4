// The attacks of a hostile key in a campaign of tenants: each is a small function of a seeded generator and names the
// answers it may get; any other answer is a breach. Attacks target the games, operators, receipts and ids of the honest
// sources.
import type { Random } from '../../oracle/random.ts';
import { gameWords, slateOf } from './load.ts';
import { honestBooks, honestSources, operatorOf, type Tenant } from './tenants-grants.ts';
import { bombs, mebibyte, trickle } from './tenants-wire.ts';

export type DeedContext = Tenant & {
  random: Random;
  gatewayUrl: string;
  seed: number;
  /** How many games the honest sources play; they add one more later. */
  games: number;
  startsAt: number;
  /** A number that is different in each call. */
  nth: number;
  signal: AbortSignal;
  /** Whether the attacks are to end soon: an attack that repeats something stops then. */
  isEnding(): boolean;
  /** A receipt of an honest source, if one is known. */
  honestReceipt(): string | null;
  /** Posts to the gateway; answers the status, 0 without an answer. */
  post(path: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<number>;
};

export type Deed = {
  /** The statuses that this attack may get besides those that every request may get. */
  right: readonly number[];
  do(context: DeedContext): Promise<number>;
};

/**
 * What any key may get: no answer, a body that came too slowly, a used-up limit, a broker that is down. The attacker's thread may have no
 * processor for the seconds in which its body has to arrive.
 */
export const alwaysRight: readonly number[] = [0, 408, 429, 503];

const ndjson = { 'content-type': 'application/x-ndjson' };
/** An invalid price: each quote with it is refused. */
const badPrice = { american: 50 };

const own = ({ source }: DeedContext, suffix = ''): string => `${operatorOf(source).replaceAll('-', '_')}${suffix}`;
const start = ({ startsAt }: DeedContext): string => new Date(startsAt).toISOString();
const someGame = (context: DeedContext): object => gameWords(context.random.integer(context.games), start(context));
const price = (random: Random): object => ({ american: random.pick([1, -1]) * (100 + random.integer(500)) });

function quotesOf(random: Random, count: number, from = 0): object[] {
  return Array.from({ length: count }, (_, index) => ({
    market: 'player_hits',
    selection: 'over',
    player: `Player ${from + index}`,
    line: 0.5 + random.integer(9),
    price: price(random),
  }));
}

const push = (context: DeedContext, events: readonly object[], headers: Record<string, string> = {}): Promise<number> =>
  context.post(`/v1/sources/${context.source}/quotes`, JSON.stringify({ events }), headers);

const image = (operator: string, game: object, quotes: readonly object[], more: object = {}): object => {
  return { kind: 'image', operator, game, quotes, ...more };
};

/** An MSF body that says that games of the honest source have ended. */
function completed({ random }: DeedContext): { league: string; body: string } {
  const id = 700_001 + random.integer(30);
  const stamp = new Date().toISOString();
  const sides = { awayTeam: { id: 82, abbreviation: 'BOS' }, homeTeam: { id: 86, abbreviation: 'CLE' } };
  const schedule = { id, startTime: stamp, ...sides, scheduleStatus: 'NORMAL', playedStatus: 'COMPLETED' };
  const score = { awayScoreTotal: 99, homeScoreTotal: 0, quarters: [] };
  const body = JSON.stringify({ lastUpdatedOn: stamp, games: [{ schedule, score }] });
  return { league: random.pick(['nba', 'nfl', 'mlb', 'nhl']), body };
}

const taken = [202, 400];

export const deeds: Readonly<Record<string, Deed>> = {
  flood: {
    right: taken,
    async do(context) {
      const { random } = context;
      const events = Array.from({ length: 5 }, () => image(own(context), someGame(context), quotesOf(random, 60)));
      let status = 0;
      for (let count = 0; count < 10 && !context.isEnding(); count += 1) status = await push(context, events);
      return status;
    },
  },
  'large bodies': {
    right: [...taken, 413],
    do(context) {
      const line = `${JSON.stringify(image(own(context), someGame(context), quotesOf(context.random, 20)))}\n`;
      const size = 8 * mebibyte + context.random.pick([-10_000, 10_000]);
      return context.post(`/v1/sources/${context.source}/quotes`, line.padEnd(size), ndjson);
    },
  },
  bombs: {
    right: [400, 413],
    do(context) {
      const { encoding, body } = context.random.pick(bombs);
      return context.post(`/v1/sources/${context.source}/quotes`, body, { 'content-encoding': encoding });
    },
  },
  'slow sockets': {
    right: [],
    async do(context) {
      await Promise.all(Array.from({ length: 4 }, () => trickle(context, 20, 100)));
      return 0;
    },
  },
  'aborted uploads': { right: [], do: (context) => trickle(context, 1 + context.random.integer(6), 0) },
  junk: {
    right: taken,
    do(context) {
      const lines = Array.from({ length: 5_000 }, () =>
        context.random.pick(['{', '0', '[]', '{"kind":7}', 'null', '"x"']),
      );
      return context.post(`/v1/sources/${context.source}/quotes`, lines.join('\n'), ndjson);
    },
  },
  refusals: {
    right: [...taken, 413],
    do(context) {
      const quotes = quotesOf(context.random, 5_000).map((quote) => ({ ...quote, price: badPrice }));
      return push(
        context,
        Array.from({ length: 4 }, () => image(own(context), someGame(context), quotes)),
      );
    },
  },
  'many operators': {
    right: taken,
    do(context) {
      const game = someGame(context);
      const names = Array.from({ length: 450 }, (_, number) => own(context, `_${number}`));
      return push(
        context,
        names.map((name) => image(name, game, quotesOf(context.random, 1))),
      );
    },
  },
  'many selections': {
    right: taken,
    do(context) {
      const from = 4_000 * context.random.integer(6);
      return push(context, [
        { ...image(own(context), someGame(context), quotesOf(context.random, 4_000, from)), kind: 'delta' },
      ]);
    },
  },
  squat: {
    right: taken,
    do(context) {
      const { random, games } = context;
      const quotes = [{ market: 'moneyline', selection: 'home', price: price(random) }, ...quotesOf(random, 3)];
      // The attack founds the game after those of the load before its honest sources do.
      const events = [games, random.integer(games), random.integer(games)].map((nth) => {
        const operator = operatorOf(random.pick(honestBooks));
        const event = { operator, game: gameWords(nth, start(context)) };
        const kind = nth === games ? 'image' : random.pick(['image', 'delta', 'heartbeat']);
        return kind === 'heartbeat' ? { kind, ...event } : { kind, ...event, quotes };
      });
      return push(context, events);
    },
  },
  'wrong way round': {
    right: taken,
    do(context) {
      const at = context.random.integer(context.games);
      const { home, away } = slateOf(context)[at] as { home: string; away: string };
      const hours = context.random.integer(24) - 12;
      const commence_time = new Date(context.startsAt + hours * 3_600_000).toISOString();
      const game = {
        league: 'MLB',
        event_id: `turned-${context.nth}`,
        home_team: away,
        away_team: home,
        commence_time,
      };
      return push(context, [image(own(context), game, quotesOf(context.random, 2))]);
    },
  },
  colleges: {
    right: taken,
    do(context) {
      const name = (side: string, number: number): string => `Duke Blue Devils ${context.nth} ${side} ${number}`;
      const events = Array.from({ length: 50 }, (_, number) => {
        const sides = { home_team: name('h', number), away_team: name('a', number) };
        const game = {
          league: 'NCAAM',
          event_id: `college-${context.nth}-${number}`,
          ...sides,
          commence_time: start(context),
        };
        return image(own(context), game, quotesOf(context.random, 1));
      });
      return push(context, events);
    },
  },
  aliases: {
    right: [202, 400, 403],
    do(context) {
      const { random, games } = context;
      const { home, away } = slateOf({ ...context, games })[random.integer(games)] as { home: string; away: string };
      const teams = [
        { id: context.nth, league: 'MLB', name: `${home} Impostors`, abbreviation: home, aliases: [away, home] },
        { id: home, league: 'MLB', name: away, abbreviation: away },
      ];
      return context.post(`/v1/sources/${context.source}/reference`, JSON.stringify({ teams }));
    },
  },
  'ends of games': {
    right: [400, 403],
    do(context) {
      const { league, body } = completed(context);
      return context.post(`/v1/sources/${context.source}/msf/${league}/2025-regular/games`, body);
    },
  },
  'other times': {
    right: [403],
    do: (context) =>
      push(context, [image(own(context), someGame(context), quotesOf(context.random, 2))], {
        'x-observed-at': new Date(Date.now() + 86_400_000).toISOString(),
      }),
  },
  'times of its own': {
    right: [400],
    do: (context) =>
      push(context, [
        image(own(context), someGame(context), quotesOf(context.random, 2), { observed_at: '2026-01-01T00:00:00Z' }),
      ]),
  },
  'used keys': {
    right: taken,
    do(context) {
      const { random, seed } = context;
      const key = random.pick([`${seed}-north-${random.integer(50)}`, `poll-${seed}-${random.integer(9)}`, 'same']);
      const event = image(own(context), someGame(context), quotesOf(random, 2));
      return push(context, [event], { 'idempotency-key': key });
    },
  },
  "others' event ids": {
    right: taken,
    do(context) {
      const { random, games } = context;
      const [one, other] = [random.integer(games), random.integer(games)];
      const game = { ...gameWords(one, start(context)), event_id: random.pick([`event-${other}`, `poll-${other}`]) };
      return push(context, [image(own(context), game, quotesOf(random, 2))]);
    },
  },
  "others' names": {
    right: [403],
    do: (context) =>
      context.post(
        `/v1/sources/${context.random.pick(honestSources)}/quotes`,
        JSON.stringify({ events: [image(operatorOf(honestBooks[0]), someGame(context), [])] }),
      ),
  },
  "others' receipts": {
    right: [200, 404],
    async do({ gatewayUrl, key, honestReceipt }) {
      const receipt = honestReceipt();
      if (receipt === null) return 0;
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${gatewayUrl}/v1/receipts/${receipt}`, { headers }).catch(() => null);
      await response?.arrayBuffer().catch(() => {});
      // A receipt that exists must not be shown.
      return response?.status === 200 ? -1 : (response?.status ?? 0);
    },
  },
  'new games': {
    right: taken,
    do(context) {
      const { home, away } = slateOf(context)[context.random.integer(context.games)] as { home: string; away: string };
      const events = Array.from({ length: 200 }, (_, number) => {
        const isNamed = number % 2 === 0;
        const sides = isNamed
          ? { home_team: home, away_team: away }
          : { home_team: `A ${number}`, away_team: `B ${context.nth}` };
        const commence_time = new Date(context.startsAt + (30 + 13 * number) * 86_400_000).toISOString();
        return image(
          own(context),
          { league: 'MLB', event_id: `new-${context.nth}-${number}`, ...sides, commence_time },
          [{ market: 'moneyline', selection: 'home', price: price(context.random) }],
        );
      });
      return push(context, events);
    },
  },
  'unknown leagues': {
    right: [400],
    do: (context) => push(context, [image(own(context), { ...someGame(context), league: 'CRICKET' }, [])]),
  },
  'wrong media types': {
    right: [415],
    do: (context) => context.post(`/v1/sources/${context.source}/quotes`, '<events/>', { 'content-type': 'text/xml' }),
  },
  ticks: {
    right: [403],
    do: (context) =>
      context.post(`/v1/sources/${context.source}/ticks`, JSON.stringify({ at: '2030-01-01T00:00:00Z' })),
  },
};
