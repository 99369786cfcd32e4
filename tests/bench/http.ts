// Requests by node:http over connections that stay open: they take less CPU of the measuring process than fetch does.
import { Agent, request as send } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export type RequestOptions = { method?: string; body?: string | Uint8Array | undefined; encoding?: string };
export type Answer = { status: number; body: string };

/** Closes the open connections. */
export function closeConnections(): void {
  agent.destroy();
}

export function request(url: string, key: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const encoded = options.encoding === undefined ? {} : { 'content-encoding': options.encoding };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...encoded };
    const call = send(url, { agent, method: options.method ?? 'GET', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(options.body);
  });
}
