// The subject that a per-address limit counts. A household or server usually has a whole IPv6 /64, so all addresses of one /64 are one
// subject.

/** The limit's subject for a remote address. Sockets that are already gone have no address; they share one subject. */
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
