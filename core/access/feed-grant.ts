// What a feed key may do, and the refusals when it may not (docs/operations.md#push-gateway). Each message names what the key may do and
// the remedy. Independent of routes and formats.
import type { League } from '../../schemas/reference/leagues.ts';
import { msfSource } from '../msf/ids.ts';
import type { FeedGrant, FeedScope } from '../ports/catalog/keys.ts';

/** The leagues and sportsbooks that the key may push; null means all. */
export type PushGrant = Pick<FeedGrant, 'leagues' | 'operators'>;

export const everything: PushGrant = { leagues: null, operators: null };

/** A grant over all leagues and operators. */
export function unrestricted(sources: readonly string[], scopes: readonly FeedScope[]): FeedGrant {
  return { sources, scopes, ...everything };
}

export function mayPushAs({ sources }: Pick<FeedGrant, 'sources'>, source: string): boolean {
  return sources.includes('*') || sources.includes(source);
}

/** The refusal if the key may not push this league; null if it may. */
export function whyNotLeague({ leagues }: PushGrant, league: string): string | null {
  if (leagues === null || (leagues as readonly string[]).includes(league)) return null;
  return `the key may speak of ${listed(leagues)}, not of ${league}: mint one with --leagues that names it`;
}

/** The refusal if the key may not push the sportsbook of this code; null if it may. */
export function whyNotOperator({ operators }: PushGrant, code: string): string | null {
  if (operators === null || operators.includes(code)) return null;
  return `the key may speak of ${listed(operators)}, not of ${code}: mint one with --operators that names it`;
}

/** The refusal if the key may not push as the source; null if it may. */
export function whyNotSource(grant: FeedGrant, source: string): string | null {
  if (mayPushAs(grant, source)) return null;
  return `This key may push as ${listed(grant.sources)}, not as ${source}. Use a key of this source, or mint one: ${mint(source, grant.scopes)}.`;
}

/**
 * The refusal if the key may not push under this source name; null if it may. Ids of games, teams, players and venues begin with `msf`
 * where MySportsFeeds names them, and with `league` and `team` where the service does (docs/revisions.md#ids), so a push under one of these
 * names could impersonate them. Only keys that may push MySportsFeeds bodies may use `msf`.
 */
export function whyReserved({ scopes }: Pick<FeedGrant, 'scopes'>, source: string): string | null {
  const ofIds = source === 'league' || source === 'team';
  if (ofIds)
    return `Nothing can be pushed as ${source}: ids of the service begin with it. Push as a source of another name.`;
  if (source !== msfSource || scopes.includes('msf')) return null;
  return `What is pushed as ${source} stands for MySportsFeeds: the key needs the scope msf. Push as a source of another name.`;
}

/** The refusal if the key lacks `scope`; null if it has it. `what`: the action that needs the scope. */
export function whyNotScope(grant: FeedGrant, scope: FeedScope, what: string, source: string): string | null {
  const { scopes } = grant;
  if (scopes.includes(scope)) return null;
  const has = `${scopes.length === 1 ? 'scope' : 'scopes'} ${listed(scopes)}`;
  return `This key has the ${has}; ${what} needs ${scope}. Mint one that has it: ${mint(source, [...scopes, scope])}.`;
}

function mint(source: string, scopes: readonly FeedScope[]): string {
  return `./sds feed-keys mint --source ${source} --scope ${scopes.join(',')}`;
}

/** A message lists at most this many names and counts the rest, because people read it. */
const mostNamed = 8;

function listed(names: readonly (string | League)[]): string {
  const shown = names.slice(0, mostNamed);
  if (names.length > mostNamed) return `${shown.join(', ')} and ${names.length - mostNamed} more`;
  const last = shown.at(-1) ?? 'nothing';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
