// Which connections a listener keeps: it caps their total and those of one address. A connection above a cap makes the listener close the
// oldest idle connection: of the same address if that address is above its cap, otherwise of the address with the most connections. So idle
// sockets cannot keep newcomers out, no address can take the room of the others, and no request under way is ended for another. Independent
// of sockets and of what makes one busy.

export type ConnectionCaps = { all: number; ofAddress: number };

export class ConnectionTable<Connection> {
  readonly #caps: ConnectionCaps;
  readonly #isBusy: (connection: Connection) => boolean;
  /** By address, oldest first. */
  readonly #open = new Map<string, Set<Connection>>();
  /** Addresses by their number of connections. */
  readonly #bySize = new Map<number, Set<string>>();
  #all = 0;
  /** The highest number of connections of one address. */
  #most = 0;

  constructor(caps: ConnectionCaps, isBusy: (connection: Connection) => boolean) {
    this.#caps = caps;
    this.#isBusy = isBusy;
  }

  /** Adds a connection. Returns the connection to close for it, which is the new one if all others are busy; null if there is room. */
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

  /** Removes a connection; does nothing if it is already gone. */
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
    // Counts change by one, so if the largest address has lost a connection, it is still among the largest.
    if (to > this.#most || !this.#bySize.has(this.#most)) this.#most = to;
  }
}
