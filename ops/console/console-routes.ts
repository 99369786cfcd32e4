// The routes of the console on the internal listener: the page, and its document for programs, both behind the console's own secret. However
// many ask, the facts are read once a second at most, and only while somebody asks.
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import { pageMediaType } from '../../http/pages/page.ts';
import { refuse } from '../../http/refusal.ts';
import { type InternalRoute, jsonDocument } from '../internal/internal-route.ts';
import type { ConsoleFacts } from './console-facts.ts';
import { openConsoleGuesses } from './console-guesses.ts';
import { consolePage } from './console-page.ts';
import { hasSecret } from './console-secret.ts';
import { type ConsoleState, consoleState } from './console-state.ts';

/** `off`: why there is no console, and how to get one. */
export type ConsoleUse = { off: string } | { secret: string; facts(): Promise<ConsoleFacts> };

export function consoleRoutes(
  use: ConsoleUse,
  clock: Pick<Clock, 'now' | 'elapsed'>,
  log: Pick<Log, 'warn'>,
): Readonly<Record<string, InternalRoute>> {
  if ('off' in use) {
    const absent: InternalRoute = async () => refuse('not-found', { detail: use.off });
    return { '/console': absent, '/console/state.json': absent };
  }
  const state = oneAtATime(async () => consoleState(await use.facts()), clock.now);
  const guesses = openConsoleGuesses(clock, log);
  const behindSecret =
    (route: InternalRoute): InternalRoute =>
    async (head, address) => {
      const asks = refuse('invalid-key', { detail, headers: challenge });
      // A browser asks without a secret first.
      if (head.authorizationCount === 0) return asks;
      const refusal = guesses.refusal(address);
      if (refusal !== null) return refusal;
      if (hasSecret(head, use.secret)) return await route(head, address);
      guesses.wrong(address);
      return asks;
    };
  return {
    '/console': behindSecret(async () => {
      const { text, headers } = consolePage(await state());
      return { mediaType: pageMediaType, body: text, headers: [...ofOwnSite, ...headers] };
    }),
    '/console/state.json': behindSecret(async () => ({ ...jsonDocument(await state()), headers: ofOwnSite })),
  };
}

const detail = 'The console asks for the secret of SDS_CONSOLE_SECRET: as the password of HTTP Basic, with any name.';
const challenge = ['WWW-Authenticate', 'Basic realm="sds console", charset="UTF-8"'];
const ofOwnSite = ['Cross-Origin-Resource-Policy', 'same-origin', 'Referrer-Policy', 'no-referrer'];

/** The newest state, at most a second old: who asks while it is read waits for that reading. */
function oneAtATime(read: () => Promise<ConsoleState>, now: () => Micros): () => Promise<ConsoleState> {
  let reading: Promise<ConsoleState> | null = null;
  let last: { state: ConsoleState; at: Micros } | null = null;
  return async () => {
    if (last !== null && Math.abs(now() - last.at) < microsPerSecond) return last.state;
    reading ??= read().finally(() => {
      reading = null;
    });
    const state = await reading;
    last = { state, at: now() };
    return state;
  };
}
