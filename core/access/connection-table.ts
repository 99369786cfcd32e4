// Which connections a listener keeps, in all and of one address. Where one is too many an idle one ends for it, the oldest: of the address that
// has too many, else of the one that has most. So sockets that ask nothing keep no newcomer out, no address takes the room of the others, and
// a request under way is never ended for another. Unaware of sockets, and of what makes one busy.

export type ConnectionCaps = { all: number; ofAddress: number };

export class ConnectionTable<Connection> {
  readonly #caps: ConnectionCaps;
  readonly #isBusy: (connection: Connection) => boolean;
  /** Of each address, oldest first. */
  readonly #open = new Map<string, Set<Connection>>();
  /** The addresses that have so many. */
  readonly #bySize = new Map<number, Set<string>>();
  #all = 0;
  /** How many an address has at most. */
  #most = 0;

  constructor(caps: ConnectionCaps, isBusy: (connection: Connection) => boolean) {
    this.#caps = caps;
    this.#isBusy = isBusy;
  }

  /** Takes up a connection. The one that ends for it, which is itself where all others are busy; null: there is room. */
  open(connection: Connection, address: string): Connection | null {
    const ofAddress = this.#open.get(address) ?? new Set();
    this.#open.set(address, ofAddress.add(connection));
    this.#resized(address, ofAddress.size - 1, ofAddress.size);
    const crowded =
      ofAddress.size > this.#caps.ofAddress ? address : this.#all > this.#caps.all ? this.#largest() : null;
    if (crowded === null) return null;
    const idle = this.#oldestIdle(crowded, connection);
    if (idle === null) this.close(connection, address);
    else this.close(idle, crowded);
    return idle ?? connection;
  }

  /** Forgets a connection; one that was forgotten before is no matter. */
  close(connection: Connection, address: string): void {
    const ofAddress = this.#open.get(address);
    if (!ofAddress?.delete(connection)) return;
    if (ofAddress.size === 0) this.#open.delete(address);
    this.#resized(address, ofAddress.size + 1, ofAddress.size);
  }

  #oldestIdle(address: string, newest: Connection): Connection | null {
    for (const connection of this.#open.get(address) ?? [])
      if (connection !== newest && !this.#isBusy(connection)) return connection;
    return null;
  }

  #largest(): string {
    const [address = ''] = this.#bySize.get(this.#most) ?? [];
    return address;
  }

  #resized(address: string, from: number, to: number): void {
    this.#all += to - from;
    const before = this.#bySize.get(from);
    before?.delete(address);
    if (before?.size === 0) this.#bySize.delete(from);
    if (to > 0) this.#bySize.set(to, (this.#bySize.get(to) ?? new Set()).add(address));
    // By one at a time: where the largest has become smaller, it still is one of the largest.
    if (to > this.#most || !this.#bySize.has(this.#most)) this.#most = to;
  }
}
