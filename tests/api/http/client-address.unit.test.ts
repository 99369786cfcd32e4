// Which requests count as one address: docs/metering.md#sliding-window. A /64 of IPv6 belongs to one customer, however its addresses are
// written.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { clientAddress } from '../../../api/http/client-address.ts';
import { addressSubject } from '../../../core/limits/address-subject.ts';

describe('an address is counted as', () => {
  const table: [string, string, string][] = [
    ['itself', '203.0.113.7', 'address 203.0.113.7'],
    ['the IPv4 address that it maps', '::ffff:203.0.113.7', 'address 203.0.113.7'],
    ['its /64', '2001:db8:1:2:aaaa:bbbb:cccc:dddd', 'address 2001:db8:1:2'],
    ['its /64, in lower case and without leading zeros', '2001:0DB8:0001:0002::1', 'address 2001:db8:1:2'],
    ['its /64, where that is written short', '2001:db8::1', 'address 2001:db8:0:0'],
    ['its /64, where zeros stand behind it', '2001:db8:1:2::', 'address 2001:db8:1:2'],
    ['its /64, where they stand within both halves', '2001:db8:1::2:3:4', 'address 2001:db8:1:0'],
    ['its /64, where nothing stands before them', '::1', 'address 0:0:0:0'],
    ['its /64, whatever interface it came by', 'fe80::1%eth0', 'address fe80:0:0:0'],
  ];
  for (const [name, address, subject] of table) {
    it(`${name}: ${address}`, () => assert.equal(addressSubject(address), subject));
  }

  it('the same for every socket that is gone', () =>
    assert.equal(addressSubject(undefined), addressSubject(undefined)));
});

it('two addresses of one /64 are one, those of two are two', () => {
  assert.equal(addressSubject('2001:db8:1:2::1'), addressSubject('2001:db8:1:2:ffff::9'));
  assert.notEqual(addressSubject('2001:db8:1:2::1'), addressSubject('2001:db8:1:3::1'));
});

describe('a client behind proxies of our own', () => {
  const table: [string, string | undefined, number, string][] = [
    ['is who connects, where there are none', '198.51.100.1', 0, '10.0.0.9'],
    ['is whom the only one names', '198.51.100.1', 1, '198.51.100.1'],
    ['is whom the first of two names', '198.51.100.1, 10.0.0.7', 2, '198.51.100.1'],
    ['is not whom he names himself', '203.0.113.66, 198.51.100.1', 1, '198.51.100.1'],
    ['is who connects, where no proxy was passed', undefined, 1, '10.0.0.9'],
    ['is who connects, where too few were passed', '198.51.100.1', 2, '10.0.0.9'],
    ['is who connects, where no address is named', 'unknown', 1, '10.0.0.9'],
  ];
  for (const [name, forwardedFor, hops, address] of table) {
    it(name, () => assert.equal(clientAddress('10.0.0.9', forwardedFor, hops), address));
  }
});
