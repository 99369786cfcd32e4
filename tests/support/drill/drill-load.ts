// The load of a drill: the recorded evening of odds, played forwards and backwards at current times, and five recorded
// NBA games with growing plays. A pusher knows both gateways, and tries the other one if it gets no answer.
import { setTimeout as delay } from 'node:timers/promises';
import { shiftTimes } from '../../../ops/replay/shift-times.ts';
import type { Acknowledged } from '../campaigns/load.ts';
import { oddsEvenings, pollLines } from '../recordings/odds-evenings.ts';
import { grownBodies, type RecordedGame } from '../recordings/played-back.ts';
import { nbaGames } from './nba-games.ts';

export type DrillLoad = {
  acknowledged: Acknowledged[];
  /** Attempts without a 202. */
  failures: number;
  /** Answers that no client should ever get. */
  surprises: string[];
  /** The public ids of the NBA games. */
  nbaGames: readonly string[];
  stop(): Promise<void>;
};

export type Pushing = { gateways: readonly string[]; feedKey: string };
/** The acknowledgement of a push. */
export type Answered = Acknowledged & { games?: readonly { game_id: string }[] };
type Body = { path: string; body: string; headers?: Readonly<Record<string, string>> };

const oddsPauseMs = 1_500;
const playsPauseMs = 1_500;
const hour = 3_600_000;

/** Pushes until one of the gateways answers 202; null if `stopped` comes first. */
export async function pushToEither(
  { gateways, feedKey }: Pushing,
  { path, body, headers = {} }: Body,
  stopped: AbortSignal,
  failed: (status: number, text: string) => void = () => {},
): Promise<Answered | null> {
  for (let attempt = 0; !stopped.aborted; attempt += 1) {
    const url = `${gateways[attempt % gateways.length]}/v1/sources/${path}`;
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${feedKey}`, 'content-type': 'application/json', ...headers },
      signal: AbortSignal.any([stopped, AbortSignal.timeout(4_000)]),
    }).catch(() => null);
    const text = await response?.text().catch(() => null);
    if (response?.status === 202 && text != null) return JSON.parse(text) as Answered;
    failed(response?.status ?? 0, text ?? '');
    await delay(100, undefined, { signal: stopped }).catch(() => {});
  }
  return null;
}

export function startDrillLoad(pushing: Pushing): DrillLoad {
  const stopped = new AbortController();
  const load: DrillLoad = {
    acknowledged: [],
    failures: 0,
    surprises: [],
    nbaGames: [],
    async stop() {
      stopped.abort();
      await done;
    },
  };
  const push = async (body: Body): Promise<void> => {
    const acknowledged = await pushToEither(pushing, body, stopped.signal, (status, text) => {
      load.failures += 1;
      if (status >= 400 && status < 500 && status !== 429) load.surprises.push(`${body.path}: ${status} ${text}`);
    });
    if (acknowledged !== null) load.acknowledged.push(acknowledged);
  };
  const pause = async (ms: number): Promise<boolean> => {
    await delay(ms, undefined, { signal: stopped.signal }).catch(() => {});
    return !stopped.signal.aborted;
  };

  async function pushOdds(): Promise<void> {
    const evening = oddsEvenings.find(({ absent }) => absent === false) ?? oddsEvenings[0];
    if (evening === undefined) throw new Error('there is no recorded evening of odds');
    const polls = pollLines(evening).map((line) => JSON.parse(line) as { committed_at: string; data: object[] });
    const startsIn = Date.now() + 3 * hour - Date.parse(polls[0]?.committed_at ?? '');
    const last = polls.length - 1;
    for (let step = 0; await pause(oddsPauseMs); step += 1) {
      // To the end and back, so that prices move throughout the drill.
      const at = step % (2 * last);
      const poll = polls[at <= last ? at : 2 * last - at] as (typeof polls)[number];
      const now = (Date.now() - Date.parse(poll.committed_at)) * 1_000;
      const body = poll.data.map((game) => ({
        ...(shiftTimes(game, now) as object),
        // Games keep their dates, which are part of their ids, and begin after the drill.
        commence_time: new Date(Date.parse((game as { commence_time: string }).commence_time) + startsIn).toISOString(),
      }));
      await push({ path: 'recorded/the-odds-api-v4', body: JSON.stringify(body) });
    }
  }

  async function pushPlays(game: RecordedGame): Promise<void> {
    const { league, msfGameId } = game;
    const grown = grownBodies(game, 12);
    const path = `recorded/msf/${league.toLowerCase()}/current/playbyplay?game=${msfGameId}`;
    for (let step = 0; await pause(playsPauseMs); step += 1) {
      const body = { ...(grown[step % grown.length] as object), lastUpdatedOn: new Date().toISOString() };
      await push({ path, body: JSON.stringify(body), headers: { 'x-request-started-at': new Date().toISOString() } });
    }
  }

  const nba = nbaGames();
  load.nbaGames = nba.map(({ gameId }) => gameId);
  const done = Promise.all([pushOdds(), ...nba.map(pushPlays)]);
  done.catch((error: unknown) => load.surprises.push(String(error)));
  return load;
}
