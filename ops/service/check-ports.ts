// Checks that the ports of a process are free before anything is created. Another process may take one meanwhile; then listening fails, with
// the same words.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Settings } from '../../platform/config/settings.ts';
import { listenOn } from './listen-on.ts';
import type { Role } from './roles.ts';

type Ports = Pick<Settings, 'host' | 'apiPort' | 'ingestPort' | 'internalHost' | 'internalPort'>;

/** @throws SettingError that names the setting of a port that is taken, also by another of these */
export async function checkPorts(settings: Ports, asked: readonly Role[]): Promise<void> {
  const { host, apiPort, ingestPort, internalHost, internalPort } = settings;
  const held: Server[] = [];
  const check = async (address: string, variable: string, port: number, hostVariable?: string): Promise<void> => {
    const listener = { listen: (at: string, number: number) => hold(held, at, number) };
    if (port !== 0) await listenOn(listener, address, variable, port, hostVariable);
  };
  try {
    if (asked.includes('api')) await check(host, 'SDS_API_PORT', apiPort);
    if (asked.includes('ingest')) await check(host, 'SDS_INGEST_PORT', ingestPort);
    if (internalPort !== null) await check(internalHost, 'SDS_INTERNAL_PORT', internalPort, 'SDS_INTERNAL_HOST');
  } finally {
    await Promise.all(held.map(release));
  }
}

async function hold(held: Server[], host: string, port: number): Promise<{ url: string }> {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, host);
  await once(server, 'listening');
  held.push(server);
  return { url: '' };
}

async function release(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
