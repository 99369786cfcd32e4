// Lends a run's services to its test files, which are separate processes. A file asks for a service by name and gets
// its address once it is ready. A service starts at the first request, or all services start together if the run wants
// that.
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Lent = {
  title: string;
  /** The service's name: the environment variable with which the administrator names a service of their own. */
  variable: string;
  start(): Promise<{ address: string; end(): Promise<void> }>;
};

export type Lender = { url: string; startAll(): void; close(): Promise<void> };

/** Marks an answer that is a reason instead of an address. */
export const missingMark = 'missing: ';

/** Opens the lender of a run. `say` prints the state of each service. */
export async function openLender(services: readonly Lent[], say: (line: string) => void): Promise<Lender> {
  const addresses = new Map<string, Promise<string>>();
  const ends: (() => Promise<void>)[] = [];

  async function start({ title, start }: Lent): Promise<string> {
    const startedAt = performance.now();
    try {
      const { address, end } = await start();
      ends.push(end);
      say(`${title}: ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      return address;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say(`${title}: missing, ${reason}`);
      return missingMark + reason;
    }
  }

  const addressOf = (service: Lent) => {
    const address = addresses.get(service.variable) ?? start(service);
    addresses.set(service.variable, address);
    return address;
  };
  const server = createServer(async ({ url }, response) => {
    const service = services.find(({ variable }) => url === `/${variable}`);
    if (service === undefined) response.writeHead(404).end();
    else response.end(await addressOf(service));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    startAll: () => services.forEach(addressOf),
    async close() {
      server.close();
      // A service that is still starting ends with this process.
      await Promise.allSettled(ends.map((end) => end()));
    },
  };
}

/** The address of a service from the run's lender; empty without a lender, and this process then starts its own. */
export async function borrow(variable: string): Promise<string> {
  const lender = process.env.SDS_TEST_LENDER;
  if (lender === undefined) return '';
  return await new Promise((resolve, reject) => {
    // A service that is installed first may take minutes.
    get(`${lender}/${variable}`, { agent: false, timeout: 0 }, (response) => {
      if (response.statusCode === 200) resolve(text(response));
      else reject(new Error(`the lender does not know ${variable}`));
    }).on('error', reject);
  });
}
