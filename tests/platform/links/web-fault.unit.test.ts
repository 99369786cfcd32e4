// What is advised about an HTTP link that cannot be set up.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'vitest';
import { webFault } from '../../../platform/links/web-fault.ts';

const names = { address: 'SCHEMA_REGISTRY_URL', authority: 'SCHEMA_REGISTRY_SSL_CA_LOCATION', certificate: null };

it('is the URL as it was given, with the other scheme', async (test) => {
  const server = createServer((_, response) => void response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  for (const rest of ['', '/apis/ccompat/v7', '/a?b=c']) {
    const fault = await webFault(`https://127.0.0.1:${port}${rest}`, {}, names);
    assert.equal(fault?.message.split('=').slice(1).join('='), `http://127.0.0.1:${port}${rest}`);
  }
});
