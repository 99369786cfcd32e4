// Whom a limit by address counts. One household or server has a whole /64 of IPv6 addresses, so those of one /64 are one.

/** The subject of an address limit; of a socket that is gone already, one that all such share. */
export function addressSubject(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return 'address unknown';
  const mapped = /^::ffff:([0-9.]+)$/i.exec(remoteAddress)?.[1];
  if (mapped !== undefined) return `address ${mapped}`;
  return `address ${remoteAddress.includes(':') ? networkOf(remoteAddress) : remoteAddress}`;
}

/** The first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] as string;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const behind = tail === '' ? 0 : tail.split(':').length;
    while (groups.length + behind < 8) groups.push('0');
  }
  const whole = tail === undefined || tail === '' ? groups : [...groups, ...tail.split(':')];
  return whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}
