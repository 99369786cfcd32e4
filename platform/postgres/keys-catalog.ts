// Accounts and keys. A cap is kept by the lock on the account's row: whoever adds a key counts while nobody else can.
import type {
  Account,
  ApiKey,
  FeedKey,
  KeyState,
  KeysCatalog,
  ListedKey,
  Tier,
} from '../../core/ports/catalog/keys.ts';
import type { Micros } from '../../core/units.ts';
import { inTransaction } from './retryable.ts';
import type { Row, Sql } from './sql.ts';
import { textParameter } from './values.ts';

export function openKeysCatalog(sql: Sql): KeysCatalog {
  return {
    createAccount: (account) => createAccount(sql, account),
    account: async (id) => (await accountsWhere(sql, id))[0] ?? null,
    accounts: () => accountsWhere(sql, null),
    setAccount: (id, change) => setAccount(sql, id, change),
    addApiKey: (accountId, key, cap) => addApiKey(sql, accountId, key, cap),
    apiKeyByMac: (macs) => apiKeyByMac(sql, macs),
    setKeyState: (id, state, actor) => moveKey(sql, id, state, actor),
    restoreKey: (id, caps, actor) => restoreKey(sql, id, caps, actor),
    keys: (accountId) => listKeys(sql, accountId),
    addFeedKey: (key, sources, scopes) => addFeedKey(sql, key, sources, scopes),
    feedKeyByMac: (macs) => feedKeyByMac(sql, macs),
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
): Promise<Account | null> {
  const { rows } = await sql.query(
    `update accounts set tier = coalesce($2, tier), entitled = coalesce($3, entitled),
       monthly_rows = case when $4 then $5 else monthly_rows end
     where id = ${asUuid('$1')}
     returning id, name, tier, entitled, monthly_rows`,
    [id, change.tier ?? null, change.entitled ?? null, change.monthlyRows !== undefined, change.monthlyRows ?? null],
  );
  return rows[0] === undefined ? null : toAccount(rows[0]);
}

async function addApiKey(
  sql: Sql,
  accountId: string,
  key: { id: string; mac: Uint8Array; pepperVersion: number; prefix: string; last4: string },
  cap: number | null,
): Promise<'added' | 'cap-reached' | 'no-account'> {
  return inTransaction(sql, async (tx) => {
    const account = await tx.query(`select id from accounts where id = ${asUuid('$1')} for update`, [accountId]);
    if (account.rows.length === 0) return 'no-account';
    // A statement of its own: it sees what was committed while this transaction waited for the lock.
    const added = await tx.query(
      `insert into api_keys (id, account_id, mac, pepper_version, prefix, last4)
       select $1, $2, $3, $4, $5, $6
       where $7::integer is null or (select count(*) from api_keys where account_id = $2 and state = 'active') < $7`,
      [key.id, account.rows[0]?.id, Buffer.from(key.mac), key.pepperVersion, key.prefix, key.last4, cap],
    );
    return added.rowCount === 1 ? 'added' : 'cap-reached';
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

async function moveKey(sql: Sql, id: string, state: KeyState, actor: string): Promise<ListedKey | null> {
  const { rows } = await sql.query(
    `with held as (
       select id, state from api_keys where id = $1 and (state <> 'revoked' or $2 = 'revoked') for update
     ), noted as (
       insert into audit (actor, action, subject, detail)
       select $3, 'key state', id, jsonb_build_object('from', state, 'to', $2::text) from held
     )
     update api_keys k set state = $2, changed_at = now() from held where k.id = held.id
     returning k.id, k.account_id, k.prefix, k.last4, k.state, k.created_at`,
    [id, state, actor],
  );
  return rows[0] === undefined ? null : toListedKey(rows[0]);
}

async function restoreKey(
  sql: Sql,
  id: string,
  caps: Readonly<Record<Tier, number | null>>,
  actor: string,
): Promise<{ kind: 'restored'; key: ListedKey } | { kind: 'cap-reached'; cap: number } | null> {
  return inTransaction(sql, async (tx) => {
    const found = await tx.query(
      'select a.id, a.tier, k.state from accounts a join api_keys k on k.account_id = a.id where k.id = $1 for update of a',
      [id],
    );
    const account = found.rows[0];
    if (account === undefined || account.state === 'revoked') return null;
    // A statement of its own, as where keys are added.
    const others = await tx.query(
      `select count(*) as active from api_keys where account_id = $1 and state = 'active' and id <> $2`,
      [account.id, id],
    );
    const cap = caps[account.tier as Tier];
    if (cap !== null && (others.rows[0]?.active as number) >= cap) return { kind: 'cap-reached', cap };
    const key = await moveKey(tx, id, 'active', actor);
    return key === null ? null : { kind: 'restored', key };
  });
}

async function listKeys(sql: Sql, accountId: string | null): Promise<ListedKey[]> {
  const { rows } = await sql.query(
    `select id, account_id, prefix, last4, state, created_at from api_keys
     where $1::text is null or account_id = ${asUuid('$1')} order by created_at, id`,
    [accountId],
  );
  return rows.map(toListedKey);
}

async function addFeedKey(
  sql: Sql,
  key: { id: string; mac: Uint8Array; pepperVersion: number; last4: string },
  sources: readonly string[],
  scopes: readonly string[],
): Promise<void> {
  await sql.query(
    'insert into feed_keys (id, mac, pepper_version, last4, sources, scopes) values ($1, $2, $3, $4, $5, $6)',
    [key.id, Buffer.from(key.mac), key.pepperVersion, key.last4, sources, scopes],
  );
}

async function feedKeyByMac(sql: Sql, macs: readonly Uint8Array[]): Promise<FeedKey | null> {
  const { rows } = await sql.query(
    'select id, sources, scopes, state from feed_keys where mac = any ($1::bytea[])',
    [macs.map((mac) => Buffer.from(mac))],
    'feed_key_by_mac',
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    id: row.id as string,
    sources: row.sources as string[],
    scopes: row.scopes as string[],
    state: row.state as FeedKey['state'],
  };
}

async function revokeFeedKey(sql: Sql, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(`update feed_keys set state = 'revoked' where id = $1`, [id]);
  return rowCount === 1;
}

/** A text that may be anything, as a UUID; null where it is none. */
function asUuid(parameter: string): string {
  return `case when ${parameter}::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${parameter}::text::uuid end`;
}

function toAccount(row: Row): Account {
  return {
    id: row.id as string,
    name: row.name as string,
    tier: row.tier as Tier,
    entitled: row.entitled as boolean,
    monthlyRows: row.monthly_rows as number | null,
  };
}

function toListedKey(row: Row): ListedKey {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    prefix: row.prefix as string,
    last4: row.last4 as string,
    state: row.state as KeyState,
    createdAt: row.created_at as Micros,
  };
}
