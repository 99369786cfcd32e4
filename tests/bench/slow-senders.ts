// j) What slow senders cost other clients: the p99 of reads, and of pushes, beside 5,000 sockets from eight addresses
// that send a head byte by byte and connect again when the server ends them. The baseline is a service without slow
// senders (SECURITY.md, S15).
import { event } from '../support/http/gateway-http.ts';
import type { Bench } from './bench.ts';
import { type Asked, measureCrowd } from './crowds.ts';
import { closeConnections } from './http.ts';
import { publishGame } from './serving.ts';
import { type StartedService, startService } from './started-service.ts';

export const slowSenders: Bench = {
  letter: 'j',
  title: "others' p99 beside slow senders",
  async run(run) {
    await using crowded = await startService({});
    await using quiet = await startService({});
    run.say('filling a game of each');
    const reads = (await Promise.all([crowded, quiet].map(readOf))) as [Asked, Asked];
    const pushes = [crowded, quiet].map(pushOf) as [Asked, Asked];
    const wanted = run.toy ? 50 : 5_000;
    const { api_url, ingest_url } = crowded.ready;
    await measureCrowd(run, crowded, reads, {
      kind: 'trickle',
      what: 'slow senders to the API',
      wanted,
      path: `${api_url}/v1/me`,
    });
    const path = `${ingest_url}/v1/sources/slow/quotes`;
    await measureCrowd(run, crowded, pushes, { kind: 'trickle', what: 'slow senders to the gateway', wanted, path });
    closeConnections();
  },
};

async function readOf(service: StartedService): Promise<Asked> {
  return { url: `${await publishGame(service)}/segments`, key: service.ready.api_key };
}

function pushOf({ ready }: StartedService): Asked {
  return {
    url: `${ready.ingest_url}/v1/sources/honest/quotes`,
    key: ready.feed_key,
    body: JSON.stringify({ events: [event()] }),
  };
}
