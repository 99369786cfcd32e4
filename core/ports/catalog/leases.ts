// Work that one process does at a time, whichever it is: a lease by name in the catalog.

/** Its holder renews it every second or two; it runs out a few seconds after its holder has stopped. */
export interface LeasesCatalog {
  /** Takes or keeps the lease; false while another holds it. */
  hold(name: 'msf-poller'): Promise<boolean>;
}
