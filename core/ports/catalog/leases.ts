// Named leases, for work that only one process may do at a time; and how many processes run.

export type LeaseName =
  | 'ticker'
  | 'forwarder'
  | 'retention'
  | 'msf-poller'
  | 'raw-archive'
  | 'log-rebuild'
  | 'dead-letters'
  | 'epoch-reset'
  | 'settle-again'
  | `settlement ${string}`;

/** The holder renews its lease every second or two. The lease expires a few seconds after the last renewal, by the database's clock. */
export interface LeasesCatalog {
  /** Takes or renews the lease; false while another process holds it. */
  hold(name: LeaseName): Promise<boolean>;
  /** Gives up the lease if held, so that the next holder need not wait for it to expire. */
  release(name: LeaseName): Promise<void>;
}

export interface LeasedWork {
  /** Notes that the holder has done its work now, by the database's clock; does nothing if another process holds the lease. */
  worked(name: LeaseName): Promise<void>;
}

export interface HeldLeases {
  /** Whether any process holds the lease now. */
  isHeld(name: LeaseName): Promise<boolean>;
}

export interface InstancesCatalog {
  /** Registers this process in the group for a few seconds, and returns how many processes the group has now. */
  countInstances(group: string): Promise<number>;
}
