// The poller over real HTTP with simulated time. The clock advances only while nothing is in progress, so that a test
// of an hour takes a moment, and a slow machine lets no deadline pass.
import { type Broker, BrokerUnavailable, type Ends } from '../../../core/ports/broker.ts';
import type { LiveCatalog } from '../../../core/ports/catalog/live.ts';
import type { Fields, Log } from '../../../core/ports/telemetry.ts';
import { type Micros, microsPerSecond } from '../../../core/units.ts';
import { type MsfSource, openMsfSource } from '../../../ingest/poller/msf-source.ts';
import { startPoller } from '../../../ingest/poller/poller.ts';
import type { AcceptPulled, PulledBody } from '../../../ingest/poller/read-reply.ts';
import { type ManualClock, openManualClock } from './manual-clock.ts';
import type { MsfServer } from './msf-server.ts';

export type PolledStage = AsyncDisposable & {
  clock: ManualClock;
  /** What the pipeline received, and when. */
  taken: (PulledBody & { at: Micros })[];
  logged: { message: string; fields: Fields }[];
  /** While `down`, the log accepts nothing. `refuses`: the code with which every body is refused. */
  state: { down: boolean; refuses: string | null; leader: string };
  pass(seconds: number): Promise<void>;
  /** Starts another process that would poll. */
  start(name: string): () => Promise<void>;
};

const noGames = { gamesWithoutTicks: async () => [] };
const noLog = { produce: async () => new Map() };

type StageOptions = {
  ownKey?: boolean;
  waits?: boolean;
  /** What takes the bodies and the ticks; left out: bodies are only noted, and no game waits for time. */
  behind?: { accept: AcceptPulled; live: Pick<LiveCatalog, 'gamesWithoutTicks'>; broker: Pick<Broker, 'produce'> };
};

export function openPolledStage(server: MsfServer, start: Micros, options: StageOptions = {}): PolledStage {
  const clock = openManualClock(start);
  const taken: PolledStage['taken'] = [];
  const logged: PolledStage['logged'] = [];
  const state = { down: false, refuses: null as string | null, leader: 'a' };
  const note = (message: string, fields: Fields = {}): void => void logged.push({ message, fields });
  const log: Log = { debug: note, info: note, warn: note, error: note };
  let underWay = 0;
  const counting =
    <Arguments extends unknown[], Answer>(work: (...given: Arguments) => Promise<Answer>) =>
    async (...given: Arguments): Promise<Answer> => {
      underWay += 1;
      try {
        return await work(...given);
      } finally {
        underWay -= 1;
      }
    };
  const noting: AcceptPulled = async (pulled) => {
    if (state.down) throw new BrokerUnavailable('down');
    taken.push({ ...pulled, at: clock.now() });
    return state.refuses === null
      ? { kind: 'accepted' }
      : { kind: 'all-rejected', rejected: [{ code: state.refuses, detail: 'why' }] };
  };
  const { accept, live, broker } = options.behind ?? { accept: noting, live: noGames, broker: noLog };
  const tools = {
    accept: counting(accept),
    live: { gamesWithoutTicks: counting(live.gamesWithoutTicks) },
    broker: {
      produce: counting<Parameters<Broker['produce']>, Ends>((topic, records) => broker.produce(topic, records)),
    },
  };
  const pollers: (() => Promise<void>)[] = [];
  const startOne = (name: string): (() => Promise<void>) => {
    const opened = openMsfSource({ baseUrl: server.baseUrl, apiKey: 'key-of-the-test', clock });
    const source: MsfSource = { ask: counting(opened.ask), close: opened.close };
    const release = async (): Promise<void> => {
      if (state.leader === name) state.leader = 'nobody';
    };
    const leases = { hold: async () => state.leader === name, release };
    const stop = startPoller({ ...tools, source, leases, ownKey: options.ownKey ?? false, clock, log });
    pollers.push(stop);
    return stop;
  };
  startOne('a');
  return {
    clock,
    taken,
    logged,
    state,
    start: startOne,
    async pass(seconds) {
      const end = clock.now() + seconds * microsPerSecond;
      for (;;) {
        await quiet(() => underWay, options.waits === true ? 50 : Number.POSITIVE_INFINITY);
        const next = clock.nextWake();
        if (next === null || next > end) break;
        clock.advance(Math.max(1, (next - clock.now()) / 1_000));
      }
      clock.advance(Math.max(0, (end - clock.now()) / 1_000));
      await quiet(() => underWay, options.waits === true ? 50 : Number.POSITIVE_INFINITY);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pollers.map((stop) => stop()));
    },
  };
}

/** Waits until nothing is in progress and everything that can run has run, or until `mostTurns` have passed. */
async function quiet(underWay: () => number, mostTurns: number): Promise<void> {
  for (let idle = 0, turns = 0; idle < 5 && turns < mostTurns; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    idle = underWay() === 0 ? idle + 1 : 0;
  }
}
