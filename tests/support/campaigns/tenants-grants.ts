// The sources of a campaign of tenants and their grants: five honest sources with exact keys and a rank, and five
// hostile ones. Two of these have the most dangerous key: `push` without leagues and operators.
import { everything } from '../../../core/access/feed-grant.ts';
import type { FeedGrant, FeedScope } from '../../../core/ports/catalog/keys.ts';
import { mintFeedKey } from '../../../ops/service/new-keys.ts';
import { type League, leagues } from '../../../schemas/reference/leagues.ts';
import type { World } from './world.ts';

export type Tenant = { source: string; key: string };

/** Sportsbooks with feeds of their own, one operator each. The key of the first also pushes reference data. */
export const honestBooks = ['north', 'south', 'east'] as const;
export const pollSource = 'west';
export const pollOperators = ['WESTONE', 'WESTTWO'];
export const honestSources: readonly string[] = [...honestBooks, pollSource, 'msf'];
export const hostileSources: readonly string[] = [1, 2, 3, 4, 5].map((number) => `evil-${number}`);

export const operatorOf = (book: string): string => book.toUpperCase();

/**
 * Above the rank of any source without one: an honest source takes its operators back from a source that named them
 * first.
 */
const honestRank = 10;

export type Tenants = {
  books: Tenant[];
  poll: Tenant;
  msf: Tenant;
  hostile: Tenant[];
};

/** Mints every key and ranks the honest sources. `polled`: the operators of the polled source. */
export async function grantTenants({ api }: World, polled: readonly string[]): Promise<Tenants> {
  const { catalogs, peppers } = api.drivers;
  const mint = async (source: string, grant: Omit<FeedGrant, 'sources'>): Promise<Tenant> => {
    const { plaintext } = await mintFeedKey(catalogs.keys, peppers, { ...grant, sources: [source] });
    return { source, key: plaintext };
  };
  const exact = (scopes: FeedScope[], operators: readonly string[] | null, ofLeagues: League[] | null = ['MLB']) => {
    return { scopes, leagues: ofLeagues, operators };
  };
  const open = (...scopes: FeedScope[]) => ({ scopes, ...everything });
  for (const source of honestSources) await catalogs.pushes.rankSource(source, honestRank);
  for (const league of leagues) await catalogs.msfAuthorities.assign(league, 'msf');
  const books: Tenant[] = [];
  for (const book of honestBooks) {
    const scopes: FeedScope[] = book === honestBooks[0] ? ['push', 'reference'] : ['push'];
    books.push(await mint(book, exact(scopes, [operatorOf(book)], ['MLB', 'NCAAM'])));
  }
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = hostileSources;
  return {
    books,
    poll: await mint(pollSource, exact(['push'], polled)),
    msf: await mint('msf', exact(['msf'], null, null)),
    hostile: [
      await mint(first, open('push')),
      await mint(second, open('push')),
      await mint(third, open('push', 'reference')),
      await mint(fourth, open('push', 'msf')),
      await mint(fifth, exact(['push'], ['EVIL'], ['NCAAM', 'MLB'])),
    ],
  };
}
