// A feed of MySportsFeeds is defined by its module (core/msf/feeds/): a module that is not listed, or whose rows no dataset takes, would
// silently have no effect; and the book names every feed and its lists.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import type { FeedDescriptor } from '../../../../core/msf/feeds/feed.ts';
import { descriptorOf, feeds, listsOf, msfFeeds } from '../../../../core/msf/feeds/feeds.ts';
import type { FeedContent } from '../../../../core/msf/states/feed-content.ts';
import { feedsOf } from '../../../../core/msf/states/state.ts';
import type { MsfDataset } from '../../../../core/msf/types.ts';
import { wholeBodies } from '../../../support/builders/msf-bodies.ts';

const folder = new URL('../../../../core/msf/feeds/', import.meta.url);
const book = (page: string) => readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');

const inCode = (text: string): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code);

/** The dataset for each part of a feed's content. */
const datasetOf: { readonly [Part in keyof FeedContent]: MsfDataset } = {
  game: 'game-state',
  plays: 'plays',
  playerStats: 'player-stats',
  teamStats: 'team-stats',
  injuries: 'injuries',
};

function isDescriptor(value: unknown): value is FeedDescriptor {
  return typeof value === 'object' && value !== null && 'form' in value && 'polling' in value;
}

it('every module of a feed is listed, once', async () => {
  const found: FeedDescriptor[] = [];
  for (const file of readdirSync(folder)) {
    const module: Record<string, unknown> = await import(new URL(file, folder).href);
    found.push(...Object.values(module).filter(isDescriptor));
  }
  assert.deepEqual(found.map(({ name }) => name).sort(), [...msfFeeds].sort());
  assert.deepEqual(new Set(found), new Set<FeedDescriptor>(feeds));
});

describe("each part of a feed's content reaches its dataset", () => {
  for (const feed of msfFeeds) {
    it(feed, () => {
      const element = wholeBodies[feed];
      const said = descriptorOf(feed).read({ league: 'NBA', msfGameId: 900001, element, before: null, text: null });
      const fed = Object.values(datasetOf).filter((dataset) => feedsOf(dataset).includes(feed));
      assert.deepEqual(
        Object.keys(said)
          .map((part) => datasetOf[part as keyof FeedContent])
          .sort(),
        [...fed].sort(),
      );
    });
  }
});

describe('the book', () => {
  it('names every feed that the gateway takes', () => {
    const [, sentence = ''] = /The feeds are (.*?)\. /s.exec(book('docs/operations.md')) ?? [];
    assert.deepEqual(inCode(sentence), msfFeeds);
  });

  it('names the lists that a body of each must have', () => {
    const [, table = ''] = /### Missing lists\n(.*?)\n###/s.exec(book('docs/revisions.md')) ?? [];
    const said = table.split('\n').flatMap((line) => {
      const [names = [], lists = []] = line.split('|').slice(1).map(inCode);
      return names.map((feed) => ({ feed, lists: lists.filter((list) => list.startsWith('/')) }));
    });
    const listed = msfFeeds.map((feed) => {
      const lists = (['NBA', 'MLB'] as const).flatMap((league) => listsOf(feed, league));
      return { feed, lists: [...new Set(lists.map((path) => `/${path.join('/')}`))] };
    });
    const byFeed = (a: { feed: string }, b: { feed: string }) => (a.feed < b.feed ? -1 : 1);
    assert.deepEqual(said.sort(byFeed), listed.sort(byFeed));
  });
});
