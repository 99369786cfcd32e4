// The events that one reader gets: docs/interface.md#events. However often games move, a reader holds a few bits of each.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { EventReader } from '../../../api/events/event-reader.ts';
import { eventDatasets, movedBetween, movesOf, newerOf } from '../../../api/events/game-heads.ts';
import { writeFeed } from '../../../api/http/feed.ts';
import { msfDatasets } from '../../../core/msf/types.ts';
import type { GameHeads } from '../../../core/ports/catalog/heads.ts';
import { until } from '../../support/services/until.ts';

const heads = (live: Partial<NonNullable<GameHeads['live']>>, more: Partial<GameHeads> = {}): GameHeads => ({
  gameUuid: 'u',
  gameId: 'G',
  league: 'MLB',
  final: false,
  streams: [],
  live: { generation: 1, version: 1, seq: 1, rowsOfSegment: 1, rows: 1, ...live },
  ...more,
});
const lines = movesOf(['sportsbook-lines']);

describe('a reader', () => {
  it('that was busy gets one event per game, with its current head', () => {
    const reader = new EventReader(lines);
    const game = { heads: heads({}) as GameHeads | null };
    for (let version = 2; version <= 1_000; version += 1) {
      const after = heads({ version, rows: version, rowsOfSegment: version });
      const moves = movedBetween(game.heads, after);
      game.heads = after;
      reader.noteMoves(game, moves);
    }
    const text = reader.take() ?? '';
    assert.match(text, /^retry: 1000\n\nevent: /);
    assert.equal(text.match(/^event: /gm)?.length, 1);
    assert.match(text, /"rows":1000,/);
    assert.equal(reader.take(), '');
    reader.beat();
    assert.deepEqual([reader.take(), reader.take()], [':\n\n', '']);
    reader.end();
    assert.equal(reader.take(), null);
  });

  it('gets the event of a new log even if more has happened since', () => {
    const reader = new EventReader(lines);
    const states = [heads({ version: 5 }), heads({ generation: 2 }), heads({ generation: 2, version: 2 })];
    const game = { heads: null as GameHeads | null };
    for (const after of states) {
      const moves = movedBetween(game.heads, after);
      game.heads = newerOf(game.heads, after);
      reader.noteMoves(game, moves);
    }
    const text = reader.take() ?? '';
    assert.deepEqual(
      [...text.matchAll(/^event: (\w+)$/gm)].map((match) => match[1]),
      ['reset', 'head'],
    );
    assert.match(text, /"board_version":"2\.2"/);
  });

  it('of very many games gets them in many texts, each once', () => {
    const reader = new EventReader(lines);
    const games = Array.from({ length: 1_000 }, (_, at) => ({ heads: heads({}, { gameId: `G${at}` }) }));
    for (const game of games) reader.noteMoves(game, movedBetween(null, game.heads));
    const sent: string[] = [];
    for (let text = reader.take(); text !== ''; text = reader.take()) {
      assert.ok(text !== null && text.length < 17_000, `a text of ${text?.length}`);
      sent.push(...[...text.matchAll(/"game_id":"(G\d+)"/g)].map(([, id = '']) => id));
    }
    assert.deepEqual(
      sent,
      games.map(({ heads: { gameId } }) => gameId),
    );
  });

  it('that takes nothing has at most some 100 KB of text held for it, however many games moved', async (t) => {
    const reader = new EventReader(movesOf(eventDatasets));
    let most = 0;
    let response: ServerResponse | undefined;
    const server = createServer((_, begun) => {
      response = begun;
      const take = () => {
        const text = reader.take();
        // Before it is written, beside what is being written.
        most = Math.max(most, begun.writableLength + (text?.length ?? 0));
        return text;
      };
      const feed = { take, whenNews: (wake: () => void) => reader.whenNews(wake), release: () => {} };
      writeFeed(begun, feed, assert.ifError);
    });
    t.onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    });
    t.onTestFinished(() => void socket.destroy());
    await until('it reads', () => response !== undefined, { everyMs: 5 });

    const streams = msfDatasets.map((dataset) => ({ dataset, epoch: 'E'.repeat(26), revision: 1e9, version: 1e9 }));
    const games = Array.from({ length: 10_000 }, (_, at) => ({ heads: heads({}, { gameId: `G${at}`, streams }) }));
    for (const game of games) reader.noteMoves(game, movesOf(eventDatasets));
    // The kernel takes a few megabytes of some 20.
    await until('nothing more is taken', () => response?.writableNeedDrain === true, { everyMs: 5 });
    assert.ok(most > 16_384 && most < 110_000, `${most} bytes`);
    assert.ok((response?.writableLength ?? 0) <= most);
  });

  it('gets no events that it did not ask for', () => {
    const reader = new EventReader(movesOf(['plays']));
    reader.take();
    reader.noteMoves({ heads: heads({}) }, lines);
    assert.equal(reader.take(), '');
  });

  it('is woken once for all that happens in a turn, and never while it takes', async () => {
    const reader = new EventReader(lines);
    const taken: (string | null)[] = [];
    reader.whenNews(() => taken.push(reader.take()));
    for (const gameId of ['G1', 'G2']) {
      const game = { heads: heads({}, { gameId }) };
      reader.noteMoves(game, movedBetween(null, game.heads));
    }
    assert.equal(taken.length, 0);
    await Promise.resolve();
    assert.deepEqual([taken.length, taken[0]?.match(/^event: head/gm)?.length], [1, 2]);
    reader.end();
    await Promise.resolve();
    reader.end();
    await Promise.resolve();
    assert.deepEqual(taken.slice(1), [null]);
  });
});

it('heads never go back, in whatever order they are read', () => {
  const some = fc.record({
    generation: fc.integer({ min: 1, max: 3 }),
    version: fc.integer({ min: 1, max: 9 }),
    revision: fc.integer({ min: 1, max: 9 }),
    final: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(some, { minLength: 1, maxLength: 20 }), (reads) => {
      let held: GameHeads | null = null;
      for (const { generation, version, revision, final } of reads) {
        const stream = { dataset: 'plays', epoch: 'E', revision, version: revision } as const;
        const found = heads({ generation, version }, { final, streams: [stream] });
        const moves = movedBetween(held, found);
        const after = newerOf(held, found);
        assert.equal(moves === 0, held !== null && JSON.stringify(shown(held)) === JSON.stringify(shown(after)));
        held = after;
      }
      const most = Math.max(...reads.map(({ generation, version }) => generation * 10 + version));
      assert.equal((held?.live?.generation ?? 0) * 10 + (held?.live?.version ?? 0), most);
      assert.equal(
        held?.final,
        reads.some(({ final }) => final),
      );
      assert.equal(held?.streams[0]?.revision, Math.max(...reads.map(({ revision }) => revision)));
    }),
  );
});

/** What readers see of heads; for a final game, nothing of its log. */
function shown({ live, final, streams }: GameHeads) {
  return { live: final ? null : live, final, streams };
}
