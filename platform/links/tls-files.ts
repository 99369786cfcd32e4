// What a link over TLS needs beyond the address: PEM texts. Independent of where they come from and of what speaks over the link.

/** `ca`: the authorities that may have signed the other side's certificate; left out: those that Node trusts. The rest is for mutual TLS. */
export type TlsFiles = { ca?: string; cert?: string; key?: string; passphrase?: string };
