// Accounts and keys. The lock on the account's row enforces the cap: keys are counted and added under it.
import type {
  Account,
  ApiKey,
  FeedGrant,
  FeedKey,
  KeyCaps,
  KeyState,
  KeysCatalog,
  ListedFeedKey,
  ListedKey,
  Tier,
} from '../../core/ports/catalog/keys.ts';
import type { Micros } from '../../core/units.ts';
import { inTransaction } from './retryable.ts';
import type { Sql, SqlRow } from './sql.ts';
import { textParameter } from './values.ts';

export function openKeysCatalog(sql: Sql): KeysCatalog {
  return {
    createAccount: (account) => createAccount(sql, account),
    account: async (id) => (await accountsWhere(sql, id))[0] ?? null,
    accounts: () => accountsWhere(sql, null),
    setAccount: (id, change, caps) => setAccount(sql, id, change, caps),
    addApiKey: (accountId, key, caps) => addApiKey(sql, accountId, key, caps),
    apiKeyByMac: (macs) => apiKeyByMac(sql, macs),
    setKeyState: (id, state, actor) => moveKey(sql, id, state, actor),
    restoreKey: (id, caps, actor) => restoreKey(sql, id, caps, actor),
    keys: (accountId) => listKeys(sql, accountId),
    addFeedKey: (key, grant) => addFeedKey(sql, key, grant),
    feedKeyByMac: (macs) => feedKeyByMac(sql, macs),
    noteFeedKeyUsed: (id) => noteFeedKeyUsed(sql, id),
    feedKeys: () => listFeedKeys(sql),
    revokeFeedKey: (id) => revokeFeedKey(sql, id),
  };
}

async function createAccount(sql: Sql, account: Account): Promise<void> {
  await sql.query('insert into accounts (id, name, tier, entitled, monthly_rows) values ($1, $2, $3, $4, $5)', [
    account.id,
    textParameter(account.name),
    account.tier,
    account.entitled,
    account.monthlyRows,
  ]);
}

async function accountsWhere(sql: Sql, id: string | null): Promise<Account[]> {
  const { rows } = await sql.query(
    `select id, name, tier, entitled, monthly_rows from accounts where $1::text is null or id = ${asUuid('$1')}
     order by created_at, id`,
    [id],
  );
  return rows.map(toAccount);
}

async function setAccount(
  sql: Sql,
  id: string,
  change: { tier?: Tier; entitled?: boolean; monthlyRows?: number | null },
  caps: KeyCaps,
): ReturnType<KeysCatalog['setAccount']> {
  return inTransaction(sql, async (tx) => {
    const held = await lockAccount(tx, id);
    if (held === null) return null;
    const cap = caps[change.tier ?? held.tier];
    if (change.tier !== undefined && cap !== null) {
      const active = await activeKeys(tx, held.id, null);
      if (active > cap) return { kind: 'over-cap', cap, active };
    }
    const { rows } = await tx.query(
      `update accounts set tier = coalesce($2, tier), entitled = coalesce($3, entitled),
         monthly_rows = case when $4 then $5 else monthly_rows end
       where id = $1
       returning id, name, tier, entitled, monthly_rows`,
      [
        held.id,
        change.tier ?? null,
        change.entitled ?? null,
        change.monthlyRows !== undefined,
        change.monthlyRows ?? null,
      ],
    );
    return { kind: 'set', account: toAccount(rows[0] as SqlRow) };
  });
}

/** Locks the row of an account; required before changing how many keys it has or may have. */
async function lockAccount(tx: Sql, id: string): Promise<{ id: string; tier: Tier } | null> {
  const { rows } = await tx.query(`select id, tier from accounts where id = ${asUuid('$1')} for update`, [id]);
  return rows[0] === undefined ? null : { id: rows[0].id as string, tier: rows[0].tier as Tier };
}

/**
 * The number of active keys, not counting `except`. A separate statement, so that it sees what was committed while this transaction waited
 * for the lock.
 */
async function activeKeys(tx: Sql, accountId: string, except: string | null): Promise<number> {
  const { rows } = await tx.query(
    `select count(*) as active from api_keys where account_id = $1 and state = 'active' and id is distinct from $2`,
    [accountId, except],
  );
  return rows[0]?.active as number;
}

async function addApiKey(
  sql: Sql,
  accountId: string,
  key: { id: string; mac: Uint8Array; pepperVersion: number; prefix: string; last4: string },
  caps: KeyCaps,
): ReturnType<KeysCatalog['addApiKey']> {
  return inTransaction(sql, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account === null) return null;
    const cap = caps[account.tier];
    if (cap !== null && (await activeKeys(tx, account.id, null)) >= cap) return { kind: 'cap-reached', cap };
    await tx.query(
      'insert into api_keys (id, account_id, mac, pepper_version, prefix, last4) values ($1, $2, $3, $4, $5, $6)',
      [key.id, account.id, Buffer.from(key.mac), key.pepperVersion, key.prefix, key.last4],
    );
    return { kind: 'added', tier: account.tier };
  });
}

async function apiKeyByMac(sql: Sql, macs: readonly Uint8Array[]): Promise<ApiKey | null> {
  const { rows } = await sql.query(
    `select k.id, k.account_id, k.state, a.tier, a.entitled, a.monthly_rows
     from api_keys k join accounts a on a.id = k.account_id where k.mac = any ($1::bytea[])`,
    [macs.map((mac) => Buffer.from(mac))],
    'api_key_by_mac',
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    state: row.state as KeyState,
    tier: row.tier as Tier,
    entitled: row.entitled as boolean,
    monthlyRows: row.monthly_rows as number | null,
  };
}

/** The actions of audit rows: the commands that lead to each state. */
const commandTo: Readonly<Record<KeyState, string>> = {
  active: 'keys restore',
  suspended: 'keys suspend',
  throttled: 'keys throttle',
  revoked: 'keys revoke',
};

async function moveKey(sql: Sql, id: string, state: KeyState, actor: string): Promise<ListedKey | null> {
  const { rows } = await sql.query(
    `with held as (
       select id, state from api_keys where id = $1 and (state <> 'revoked' or $2 = 'revoked') for update
     ), noted as (
       insert into audit (actor, action, subject, detail)
       select $3, $4, id, jsonb_build_object('from', state, 'to', $2::text) from held
     )
     update api_keys k set state = $2, changed_at = now() from held where k.id = held.id
     returning k.id, k.account_id, k.prefix, k.last4, k.pepper_version, k.state, k.created_at`,
    [id, state, textParameter(actor), commandTo[state]],
  );
  return rows[0] === undefined ? null : toListedKey(rows[0]);
}

async function restoreKey(sql: Sql, id: string, caps: KeyCaps, actor: string): ReturnType<KeysCatalog['restoreKey']> {
  return inTransaction(sql, async (tx) => {
    const found = await tx.query(
      'select a.id, a.tier, k.state from accounts a join api_keys k on k.account_id = a.id where k.id = $1 for update of a',
      [id],
    );
    const account = found.rows[0];
    if (account === undefined || account.state === 'revoked') return null;
    const cap = caps[account.tier as Tier];
    if (cap !== null && (await activeKeys(tx, account.id as string, id)) >= cap) return { kind: 'cap-reached', cap };
    const key = await moveKey(tx, id, 'active', actor);
    return key === null ? null : { kind: 'restored', key };
  });
}

async function listKeys(sql: Sql, accountId: string | null): Promise<ListedKey[]> {
  const { rows } = await sql.query(
    `select id, account_id, prefix, last4, pepper_version, state, created_at from api_keys
     where $1::text is null or account_id = ${asUuid('$1')} order by created_at, id`,
    [accountId],
  );
  return rows.map(toListedKey);
}

async function addFeedKey(
  sql: Sql,
  key: { id: string; mac: Uint8Array; pepperVersion: number; last4: string },
  { sources, scopes, leagues, operators }: FeedGrant,
): Promise<void> {
  await sql.query(
    `insert into feed_keys (id, mac, pepper_version, last4, sources, scopes, leagues, operators)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [key.id, Buffer.from(key.mac), key.pepperVersion, key.last4, sources, scopes, leagues, operators],
  );
}

async function feedKeyByMac(sql: Sql, macs: readonly Uint8Array[]): Promise<FeedKey | null> {
  const { rows } = await sql.query(
    'select id, sources, scopes, leagues, operators, state from feed_keys where mac = any ($1::bytea[])',
    [macs.map((mac) => Buffer.from(mac))],
    'feed_key_by_mac',
  );
  return rows[0] === undefined ? null : toFeedKey(rows[0]);
}

async function noteFeedKeyUsed(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `update feed_keys set last_used_at = now()
     where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [id],
    'note_feed_key_used',
  );
}

async function listFeedKeys(sql: Sql): Promise<ListedFeedKey[]> {
  const { rows } = await sql.query(
    `select id, sources, scopes, leagues, operators, state, last4, pepper_version, created_at, last_used_at, inherited_scopes
     from feed_keys order by created_at, id`,
  );
  return rows.map((row) => ({
    ...toFeedKey(row),
    last4: row.last4 as string,
    pepperVersion: row.pepper_version as number,
    createdAt: row.created_at as Micros,
    lastUsedAt: row.last_used_at as Micros | null,
    inheritedScopes: row.inherited_scopes as ListedFeedKey['inheritedScopes'],
  }));
}

async function revokeFeedKey(sql: Sql, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(`update feed_keys set state = 'revoked' where id = $1`, [id]);
  return rowCount === 1;
}

/** Any text as a UUID; null if it is not one. */
function asUuid(parameter: string): string {
  return `case when ${parameter}::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${parameter}::text::uuid end`;
}

function toAccount(row: SqlRow): Account {
  return {
    id: row.id as string,
    name: row.name as string,
    tier: row.tier as Tier,
    entitled: row.entitled as boolean,
    monthlyRows: row.monthly_rows as number | null,
  };
}

function toFeedKey(row: SqlRow): FeedKey {
  return {
    id: row.id as string,
    sources: row.sources as FeedKey['sources'],
    scopes: row.scopes as FeedKey['scopes'],
    leagues: row.leagues as FeedKey['leagues'],
    operators: row.operators as FeedKey['operators'],
    state: row.state as FeedKey['state'],
  };
}

function toListedKey(row: SqlRow): ListedKey {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    prefix: row.prefix as string,
    last4: row.last4 as string,
    pepperVersion: row.pepper_version as number,
    state: row.state as KeyState,
    createdAt: row.created_at as Micros,
  };
}
