import assert from 'node:assert/strict';
import { it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import type { AdaptedElement } from '../../../ingest/adapters/adapted.ts';
import { lookupsOf } from '../../../ingest/adapters/decide-elements.ts';
import { decideElements } from '../../support/builders/in-one-go.ts';
import { rawObservation } from '../../support/builders/raw-quotes.ts';

const frame = (index: number) => ({ index, start: 0, end: 0, sha256: null });
const badPrice = { code: 'bad-price', pointer: '/quotes/0/price', detail: '' } as const;
const badOperator = { code: 'bad-operator', pointer: '/operator', detail: '' } as const;

function accepted(index: number, gameId: string): AdaptedElement {
  const byId = { by: 'id', gameId } as const;
  const byEvent = {
    by: 'event',
    league: 'NFL',
    eventId: gameId,
    homeTeam: 'a',
    awayTeam: 'b',
    commenceTime: 0,
  } as const;
  const game = gameId.startsWith('e') ? byEvent : byId;
  return { ...frame(index), kind: 'accepted', observation: rawObservation(), game, refusals: [badPrice], warnings: [] };
}

function refused(index: number, gameId: string | null): AdaptedElement {
  return { ...frame(index), kind: 'refused', refusals: [badOperator], gameId };
}

it('an element is accepted with the codes of its quotes, or refused with one code', () => {
  const elements = [
    accepted(0, 'g'),
    refused(1, null),
    accepted(2, 'none'),
    refused(3, 'g'),
    refused(4, 'none'),
    accepted(5, 'e1'),
    accepted(6, 'e2'),
    accepted(7, 'e3'),
  ];
  const references = lookupsOf(elements);
  assert.deepEqual(
    references.map((reference) => (reference.by === 'id' ? reference.gameId : reference.eventId)),
    ['g', 'none', 'g', 'none', 'e1', 'e2', 'e3'],
  );

  const noGame = { kind: 'refused', code: 'bad-event', detail: 'no game' } as const;
  const conflict = { kind: 'refused', code: 'game-conflict', detail: 'turned' } as const;
  const resolved = (game: string, league = 'NFL') => ({ kind: 'resolved', game, league }) as const;
  const settled = { ...resolved('S'), settled: true };
  const answers = [resolved('G'), noGame, resolved('G'), noGame, conflict, resolved('E'), settled];
  const decided = decideElements(elements, answers, everything);
  assert.deepEqual(
    decided.map((each) => [
      each.element.index,
      each.kind === 'accepted' ? each.game : null,
      ...each.refusals.map(({ code, pointer }) => `${code} ${pointer}`),
    ]),
    [
      [0, 'G', 'bad-price /quotes/0/price'],
      [1, null, 'bad-operator /operator'],
      [2, null, 'bad-event /game/game_id'],
      [3, null, 'bad-operator /operator'],
      [4, null, 'bad-event /game/game_id'],
      [5, null, 'game-conflict /game'],
      [6, 'E', 'bad-price /quotes/0/price'],
      [7, null, 'game-settled /game'],
    ],
  );
});
