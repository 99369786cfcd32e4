// Work that one process does at a time: a lease by name in the catalog. And how many processes are there at all.

export type LeaseName =
  | 'ticker'
  | 'forwarder'
  | 'retention'
  | 'msf-poller'
  | `reset ${string}`
  | `settlement ${string}`;

/** Its holder renews it every second or two; it runs out a few seconds after its holder has stopped, by the database's clock. */
export interface LeasesCatalog {
  /** Takes or keeps the lease; false while another holds it. */
  hold(name: LeaseName): Promise<boolean>;
  /** Gives the lease up, if it is held: the next one need not wait until it has run out. */
  release(name: LeaseName): Promise<void>;
}

export interface CompanyCatalog {
  /** How many processes are in the group, this one among them from now on: each for a few seconds after it has asked. */
  company(group: string): Promise<number>;
}
