// The pushes of the honest sources in a campaign of tenants: three sportsbooks with feeds of their own, which measure
// their freshness; a poll in the form of The Odds API, from a recording if there is one; MSF bodies. Each pushes its
// whole offer first and at the end.
import { setTimeout as delay } from 'node:timers/promises';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { eventOf, gameWords, type Load, type LoadOptions, offerOf, slateOf, startPushers } from './load.ts';
import { startMsfLoad } from './msf-load.ts';
import { operatorOf, pollOperators, type Tenants } from './tenants-grants.ts';

export type HonestOptions = Pick<LoadOptions, 'gatewayUrl' | 'seed' | 'games' | 'startsAt' | 'pauseMs'> & {
  tenants: Tenants;
  /** Recorded bodies in the form of The Odds API; null: they are generated. */
  recorded: readonly string[] | null;
};

export type Honest = {
  loads: Load[];
  /** The loads of quotes, and that of MSF bodies. */
  quotes: Load[];
  msf: Load;
  /** Milliseconds from a push until it is visible, by phase of the campaign. */
  fresh: Map<string, number[]>;
  phase: string;
  /** From now on the sportsbooks also play the two games after those of the load, and a second college game. */
  joinLate(): void;
  /** Resolves when every game has been pushed once. */
  opened: Promise<unknown>;
  /** Ends the MSF bodies; every other source pushes its whole offer twice more. */
  close(): Promise<void>;
};

export function startHonest(options: HonestOptions): Honest {
  const { tenants, gatewayUrl, seed, games, pauseMs } = options;
  const startsAt = new Date(options.startsAt).toISOString();
  const closing = new AbortController();
  const openings: Promise<void>[] = [];
  const closings: Promise<void>[] = [];
  let played = games;
  let colleges = 1;
  const pushing = { gatewayUrl, pauseMs, pushers: 1 };

  function book(source: string, key: string, number: number): Load {
    const operator = operatorOf(source);
    const path = `${source}/quotes`;
    const opening = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    openings.push(opening.promise);
    closings.push(closed.promise);
    const load = startPushers({ ...pushing, feedKey: key }, async (_, push, pause) => {
      const random = seededRandom(seed * 37 + number);
      const offered = (): object[] => [
        ...Array.from({ length: played }, (_each, game) => gameWords(game, startsAt)),
        ...Array.from({ length: colleges }, (_each, game) => collegeWords(game, startsAt)),
      ];
      const whole = (): string => JSON.stringify({ events: wholeOffers(random, operator, offered()) });
      await push({ path, body: whole(), key: null });
      opening.resolve();
      for (let count = 0; (await pause(random)) && !closing.signal.aborted; count += 1) {
        const said = eventOf(random, played, startsAt, [operator]);
        const college = collegeWords(random.integer(colleges), startsAt);
        const events = [random.chance(0.2) ? { ...said, game: college } : said];
        const idempotencyKey = random.chance(0.5) ? `${seed}-${source}-${count}` : null;
        const { phase } = honest;
        const pushedAt = performance.now();
        if (!(await push({ path, body: JSON.stringify({ events }), key: idempotencyKey }))) break;
        const receipt = load.acknowledged.at(-1)?.receipt;
        if (receipt === undefined || !(await isVisible(gatewayUrl, key, receipt))) continue;
        honest.fresh.set(phase, [...(honest.fresh.get(phase) ?? []), performance.now() - pushedAt]);
      }
      for (let round = 0; round < 2; round += 1) await push({ path, body: whole(), key: null });
      closed.resolve();
    });
    return load;
  }

  function poll(): Load {
    const { source, key } = tenants.poll;
    const path = `${source}/the-odds-api-v4`;
    const opening = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    openings.push(opening.promise);
    closings.push(closed.promise);
    return startPushers({ ...pushing, feedKey: key, pauseMs: 4 * pauseMs }, async (_, push, pause) => {
      const random = seededRandom(seed * 41);
      let body = '[]';
      const next = (count: number): string => {
        body = options.recorded?.[count] ?? (options.recorded === null ? polled(random, options) : body);
        return body;
      };
      await push({ path, body: next(0), key: null });
      opening.resolve();
      for (let count = 1; (await pause(random)) && !closing.signal.aborted; count += 1)
        await push({ path, body: next(count), key: `poll-${seed}-${count}` });
      for (let round = 0; round < 2; round += 1) await push({ path, body, key: null });
      closed.resolve();
    });
  }

  const quotes = [...tenants.books.map(({ source, key }, number) => book(source, key, number)), poll()];
  const reference = startReference(options);
  const msf = startMsfLoad({ ...pushing, feedKey: tenants.msf.key, seed, pauseMs: 3 * pauseMs, met: [] });
  const honest: Honest = {
    loads: [...quotes, reference, msf],
    quotes,
    msf,
    fresh: new Map(),
    phase: '',
    joinLate() {
      played = games + 2;
      colleges = 2;
    },
    opened: Promise.all(openings),
    async close() {
      closing.abort();
      await Promise.all([msf.stop(), reference.stop(), ...closings]);
      for (const load of quotes) await load.stop();
    },
  };
  return honest;
}

/** The first sportsbook's reference data: its players, pushed again and again. */
function startReference({ tenants, gatewayUrl, seed, pauseMs }: HonestOptions): Load {
  const { source, key } = tenants.books[0] as Tenants['poll'];
  return startPushers({ gatewayUrl, pushers: 1, pauseMs: 10 * pauseMs, feedKey: key }, async (_, push, pause) => {
    const random = seededRandom(seed * 43);
    while (await pause(random)) {
      const players = [
        { id: 1 + random.integer(20), league: 'MLB', first_name: 'Ada', last_name: `Player${random.integer(3)}` },
      ];
      await push({ path: `${source}/reference`, body: JSON.stringify({ players }), key: null });
    }
  });
}

function wholeOffers(random: Random, operator: string, games: readonly object[]): object[] {
  return games.map((game) => ({ kind: 'image', operator, game, quotes: offerOf(random) }));
}

/** The nth college game; hostile keys also take the abbreviations of its team names. */
function collegeWords(nth: number, startsAt: string): object {
  return {
    league: 'NCAAM',
    event_id: `colleges-${nth}`,
    home_team: `Duke Blue Devils ${'AB'[nth]}`,
    away_team: `Gonzaga Bulldogs ${'AB'[nth]}`,
    commence_time: startsAt,
  };
}

/** One poll of all games, as a provider would answer it. */
function polled(random: Random, { games, startsAt }: HonestOptions): string {
  const price = (): number => random.pick([1, -1]) * (100 + random.integer(90));
  const events = slateOf({ games, startsAt }).map(({ home, away }, game) => ({
    id: `poll-${game}`,
    sport_key: 'baseball_mlb',
    commence_time: new Date(startsAt).toISOString(),
    home_team: home,
    away_team: away,
    bookmakers: pollOperators
      .filter(() => random.chance(0.95))
      .map((key) => ({
        key: key.toLowerCase(),
        markets: [
          { key: 'h2h', outcomes: [home, away].map((name) => ({ name, price: price() })) },
          { key: 'totals', outcomes: ['Over', 'Under'].map((name) => ({ name, price: price(), point: 8.5 })) },
        ],
      })),
  }));
  return JSON.stringify(events);
}

/** Waits until readers can see the push; answers false if that cannot be determined. */
async function isVisible(gatewayUrl: string, key: string, receipt: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  const giveUpAt = performance.now() + 30_000;
  while (performance.now() < giveUpAt) {
    try {
      const response = await fetch(`${gatewayUrl}/v1/receipts/${receipt}`, {
        headers,
        signal: AbortSignal.timeout(5_000),
      });
      const { state } = (await response.json()) as { state?: string };
      if (state === 'applied') return true;
    } catch {
      // The gateway is unreachable.
      await delay(200);
    }
    await delay(20);
  }
  return false;
}
