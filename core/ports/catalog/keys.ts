// Accounts and keys, for authentication. Keys are stored by MAC, never in plaintext.
import type { League } from '../../../schemas/reference/leagues.ts';
import type { Micros } from '../../units.ts';

export const tiers = ['DEMO', 'BETA', 'STARTER', 'PRO'] as const;
export type Tier = (typeof tiers)[number];
export type KeyState = 'active' | 'revoked' | 'suspended' | 'throttled';

export type Account = { id: string; name: string; tier: Tier; entitled: boolean; monthlyRows: number | null };
export type ApiKey = {
  id: string;
  accountId: string;
  state: KeyState;
  tier: Tier;
  entitled: boolean;
  /** The account's quota; null: unlimited. The ledger keeps its own copy and decides by that. */
  monthlyRows: number | null;
};
export type ListedKey = {
  id: string;
  accountId: string;
  prefix: string;
  last4: string;
  /** The version of the pepper under which it is stored. */
  pepperVersion: number;
  state: KeyState;
  createdAt: Micros;
};

/** What a feed key may push: quotes, reference data, bodies of MSF; and whether it may set times in the past. */
export const feedScopes = ['push', 'reference', 'msf', 'backfill'] as const;
export type FeedScope = (typeof feedScopes)[number];

/** What a feed key may do. In `sources`, `*` means every source. In `leagues` and `operators` (codes), null means all. */
export type FeedGrant = {
  sources: readonly string[];
  scopes: readonly FeedScope[];
  leagues: readonly League[] | null;
  operators: readonly string[] | null;
};
export type FeedKey = FeedGrant & { id: string; state: 'active' | 'revoked' };
export type ListedFeedKey = FeedKey & {
  last4: string;
  pepperVersion: number;
  createdAt: Micros;
  /** Accurate to about a minute; null: never since uses are recorded. */
  lastUsedAt: Micros | null;
  /** Scopes that the key has only because it was created before the scopes existed. */
  inheritedScopes: readonly FeedScope[];
};

export type StoredKey = { id: string; mac: Uint8Array; pepperVersion: number; prefix: string; last4: string };

/** Most active keys of an account, per tier; null: no cap. */
export type KeyCaps = Readonly<Record<Tier, number | null>>;

export interface KeysCatalog {
  createAccount(account: Account): Promise<void>;
  account(id: string): Promise<Account | null>;
  accounts(): Promise<readonly Account[]>;
  /** Changes an account, unless it has more active keys than its new tier allows. Null: no such account. */
  setAccount(
    id: string,
    change: { tier?: Tier; entitled?: boolean; monthlyRows?: number | null },
    caps: KeyCaps,
  ): Promise<{ kind: 'set'; account: Account } | { kind: 'over-cap'; cap: number; active: number } | null>;
  /**
   * Adds an active key, unless the account already has as many as its tier allows; concurrent calls never exceed the cap. Null: no such
   * account.
   */
  addApiKey(
    accountId: string,
    key: StoredKey,
    caps: KeyCaps,
  ): Promise<{ kind: 'added'; tier: Tier } | { kind: 'cap-reached'; cap: number } | null>;
  apiKeyByMac(macs: readonly Uint8Array[]): Promise<ApiKey | null>;
  /** Deactivates a key; null if it does not exist or was revoked, which is permanent. */
  setKeyState(id: string, state: Exclude<KeyState, 'active'>, actor: string): Promise<ListedKey | null>;
  /**
   * Makes a key active again, unless the account would exceed the cap of its tier (null: no cap); concurrent calls, and calls that add
   * keys, never exceed it. Null as for `setKeyState`.
   */
  restoreKey(
    id: string,
    caps: KeyCaps,
    actor: string,
  ): Promise<{ kind: 'restored'; key: ListedKey } | { kind: 'cap-reached'; cap: number } | null>;
  keys(accountId: string | null): Promise<readonly ListedKey[]>;
  addFeedKey(key: StoredKey, grant: FeedGrant): Promise<void>;
  feedKeyByMac(macs: readonly Uint8Array[]): Promise<FeedKey | null>;
  /** Records that the key was used; at most once a minute. */
  noteFeedKeyUsed(id: string): Promise<void>;
  feedKeys(): Promise<readonly ListedFeedKey[]>;
  revokeFeedKey(id: string): Promise<boolean>;
}
