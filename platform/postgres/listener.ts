// LISTEN on one dedicated connection, shared by all channels, with automatic reconnection. Notices sent while it was down are lost;
// therefore `onLost` is called both when the connection breaks and when it is back and listening. Pings the server now and then: a
// half-open connection delivers nothing and reports nothing.
import type pg from 'pg';
import type { Log } from '../../core/ports/telemetry.ts';
import { sleep } from '../process/clock.ts';
import { asCatalogError } from './failures.ts';

type Subscription = { channel: string; onNotice(payload: string): void; onLost(): void };

type Listener = {
  listen(channel: string, onNotice: (payload: string) => void, onLost: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

const signOfLifeMs = 3_000;
const firstRetryMs = 50;
const maxRetryMs = 2_000;

export function openListener(newClient: () => pg.Client, log: Log): Listener {
  const subscriptions = new Set<Subscription>();
  const stop = new AbortController();
  let connection: Promise<pg.Client> | null = null;
  let keeping: Promise<void> = Promise.resolve();
  /** The statement sent last: a connection runs one at a time. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn(statement: () => Promise<unknown>): Promise<unknown> {
    const mine = last.then(statement, statement);
    last = mine.catch(() => {});
    return mine;
  }

  /** Connects and listens to every wanted channel; rejects if that fails. */
  async function connect(): Promise<pg.Client> {
    const client = newClient();
    client.on('error', () => {});
    client.on('notification', (notice) => {
      for (const each of subscriptions) if (each.channel === notice.channel) each.onNotice(notice.payload ?? '');
    });
    try {
      await client.connect();
      for (const channel of new Set([...subscriptions].map((each) => each.channel))) await listenTo(client, channel);
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  }

  /** Resolves when the connection is dead. */
  async function watch(client: pg.Client): Promise<void> {
    const ended = new AbortController();
    const done = () => ended.abort();
    client.on('end', done);
    client.on('error', done);
    stop.signal.addEventListener('abort', done);
    while (!ended.signal.aborted) {
      await sleep(signOfLifeMs, ended.signal, { idle: true });
      if (ended.signal.aborted) break;
      try {
        await inTurn(() => client.query('select 1'));
      } catch {
        break;
      }
    }
    stop.signal.removeEventListener('abort', done);
    await client.end().catch(() => {});
  }

  function reportLost(): void {
    for (const each of [...subscriptions]) each.onLost();
  }

  async function keep(first: pg.Client): Promise<void> {
    let client = first;
    while (!stop.signal.aborted) {
      await watch(client);
      if (stop.signal.aborted) return;
      log.warn('notification connection lost');
      reportLost();
      let wait = firstRetryMs;
      for (;;) {
        try {
          connection = connect();
          client = await connection;
          break;
        } catch (error) {
          log.debug('notification connection refused', {
            error: error instanceof Error ? error.message : String(error),
          });
          await sleep(wait, stop.signal, { idle: true });
          if (stop.signal.aborted) return;
          wait = Math.min(maxRetryMs, wait * 2);
        }
      }
      log.info('notification connection back');
      reportLost();
    }
  }

  async function ensureListening(channel: string): Promise<void> {
    if (connection === null) {
      const opening = connect();
      connection = opening;
      try {
        const client = await opening;
        keeping = keep(client);
      } catch (error) {
        if (connection === opening) connection = null;
        throw error;
      }
      return;
    }
    const client = await connection;
    await inTurn(() => listenTo(client, channel));
  }

  return {
    async listen(channel, onNotice, onLost) {
      if (!/^[a-z_]+$/.test(channel)) throw new Error(`no channel name: ${channel}`);
      const subscription: Subscription = { channel, onNotice, onLost };
      subscriptions.add(subscription);
      try {
        await ensureListening(channel);
      } catch (error) {
        subscriptions.delete(subscription);
        throw asCatalogError(error);
      }
      return async () => {
        subscriptions.delete(subscription);
      };
    },
    async close() {
      stop.abort();
      subscriptions.clear();
      const client = await connection?.catch(() => null);
      await keeping;
      await client?.end().catch(() => {});
    },
  };
}

async function listenTo(client: pg.Client, channel: string): Promise<void> {
  await client.query(`listen "${channel}"`);
}
