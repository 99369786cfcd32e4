// The PEM texts that a TLS link needs besides the address. Independent of their origin and of the protocol above the link.

/** `ca`: the certificate authorities of the other side; left out: those that Node trusts. The other members are for mutual TLS. */
export type TlsFiles = { ca?: string; cert?: string; key?: string; passphrase?: string };
