// Native events as JSON text: every spelling of a number, and events for every refusal code.
import {
  badAmericans,
  badDecimals,
  badFractions,
  badLines,
  gameWords,
  goodAmericans,
  goodDecimals,
  goodFractions,
  goodLines,
  instead,
  operatorText,
  placeholders,
  spelled,
  type World,
} from './generate-world.ts';
import type { Random } from './random.ts';
import type { TextTree } from './text-tree.ts';
import { minute, second, writeTime } from './times.ts';

export function nativeElement(random: Random, world: World, source: string, at: bigint): TextTree {
  if (random.chance(world.hostility / 8)) return random.pick(['7', '"x"', '[]', '{}', '{"kind":"image"}']);
  const kind = random.pick(['image', 'image', 'image', 'delta', 'delta', 'heartbeat']);
  const members = [`"kind":${instead(random, world, `"${kind}"`, ['"picture"', '7', 'null'])}`];
  const operator = operatorText(random, world);
  members.push(
    `"operator":${instead(random, world, operator, ['"a-a"', '""', 'null', '5', '"ﬂ"', `"${'a'.repeat(33)}"`])}`,
  );
  members.push(`"game":${nativeGame(random, world, source)}`);
  if (random.chance(0.15))
    members.push(`"in_play":${instead(random, world, random.pick(['true', 'false', 'null']), ['"no"', '0'])}`);
  if (random.chance(0.25)) {
    const markets = random.pick(['["moneyline"]', '["spread","total"]', '["x_wide"]', '[]', 'null']);
    members.push(`"markets":${instead(random, world, markets, ['"moneyline"', '{}', '[7]'])}`);
  }
  if (random.chance(0.12)) {
    const time = writeTime(at - random.pick([0n, 1n, second, 30n * second, minute, 12n * minute]));
    const wrong = [
      '"1999-12-31T23:59:59.999999Z"',
      '"noon"',
      '"0001-01-01T00:00:00Z"',
      '"9999-12-31T23:59:59Z"',
      `"${writeTime(at + 5n * second + 1n)}"`,
      '12',
      '"2025-11-16T20:00:00"',
    ];
    members.push(
      `"observed_at":${instead(random, world, random.pick([`"${time}"`, `"${writeTime(at + 5n * second)}"`, 'null']), wrong)}`,
    );
  }
  if (random.chance(0.1)) members.push('"note":{"ignored":[1.50,"é",null]}');
  if (kind === 'heartbeat') {
    const quotes = instead(random, world, random.pick(['', '"quotes":[]']), [
      '"quotes":{}',
      '"quotes":[{"market":"x"}]',
    ]);
    return `{${[...members, quotes].filter((part) => part !== '').join(',')}}`;
  }
  if (random.chance(world.hostility / 8)) return `{${members.join(',')},"quotes":${random.pick(['null', '{}', '7'])}}`;
  const quotes: TextTree[] = [];
  const count = random.pick([0, 1, 2, 3, 4, 5, 8]);
  for (let index = 0; index < count; index += 1) quotes.push(nativeQuote(random, world, kind === 'delta'));
  return { open: `{${members.join(',')},"quotes":[`, items: quotes, close: ']}' };
}

function nativeGame(random: Random, world: World, source: string): string {
  if (random.chance(world.hostility / 4)) {
    return random.pick([
      'null',
      '"e1"',
      '{"league":"NFL","event_id":"e"}',
      '{"game_id":"NFL_NO_GAME_20200101"}',
      '{"game_id":5}',
    ]);
  }
  const words = gameWords(random, world, source);
  if (random.chance(0.1)) {
    return random.pick(['{"game_id":"NFL_DET_PHI_20251116"}', '{"game_id":"MLB_CHC_NYM_20251116","league":null}']);
  }
  const members = [
    `"league":${instead(random, world, `"${words.league}"`, ['"XFL"', '""', '7'])}`,
    `"event_id":${instead(random, world, `"${words.eventId}"`, ['""', 'null'])}`,
    `"home_team":${instead(random, world, JSON.stringify(spelled(random, world, words.league, words.home)), ['""', 'null', '5'])}`,
    `"away_team":${JSON.stringify(spelled(random, world, words.league, words.away))}`,
    `"commence_time":${instead(random, world, `"${words.start}"`, ['"soon"', 'null', '"2025-02-30T00:00:00Z"', ...placeholders])}`,
  ];
  return `{${members.join(',')}}`;
}

function priceText(random: Random, world: World): string {
  if (random.chance(world.hostility / 3)) {
    return random.pick([
      `{"american":${random.pick(badAmericans)},"decimal":1.91}`,
      `{"decimal":${random.pick(badDecimals)}}`,
      `{"fractional":${random.pick(badFractions)}}`,
      '{}',
      'null',
      '"-110"',
    ]);
  }
  return random.pick([
    `{"american":${random.pick(goodAmericans)}}`,
    `{"american":${random.pick(goodAmericans)}}`,
    `{"american":${random.pick(goodAmericans)},"decimal":3,"fractional":"x"}`,
    `{"american":null,"decimal":${random.pick(goodDecimals)}}`,
    `{"decimal":${random.pick(goodDecimals)},"fractional":"9/1"}`,
    `{"fractional":${random.pick(goodFractions)}}`,
  ]);
}

function nativeQuote(random: Random, world: World, delta: boolean): string {
  if (random.chance(world.hostility / 12)) return random.pick(['7', '"x"', '{}', '[]']);
  const market = random.pick(world.markets);
  const selection = random.pick(['"home"', '"away"', '"draw"', '"a/b %"', '"é\\u007f\\t"']);
  const members = [
    `"market":${instead(random, world, `"${market}"`, ['"Moneyline"', 'null', '7', '"x-a"', `"${'m'.repeat(65)}"`])}`,
    `"selection":${instead(random, world, random.chance(0.93) ? random.pick(['"home"', '"away"']) : selection, ['""', 'null', '5'])}`,
  ];
  if (random.chance(0.15))
    members.push(`"period":${instead(random, world, random.pick(['"q1"', '"full"', 'null']), ['"H 1"', '""', '1'])}`);
  const needsLine = market !== 'moneyline' && market !== 'x_wide';
  if (needsLine ? !random.chance(0.1) : random.chance(0.05)) {
    members.push(`"line":${instead(random, world, random.pick(goodLines), badLines)}`);
  }
  if (random.chance(needsLine ? 0.25 : 0.03))
    members.push(`"alternate":${instead(random, world, random.pick(['true', 'true', 'false', 'null']), ['"yes"'])}`);
  if (market === 'player_points' ? !random.chance(0.1) : random.chance(0.03)) {
    members.push(`"player":${instead(random, world, random.pick(['"Jalen Hurts"', '"A/B"', 'null']), ['""', '5'])}`);
  }
  if (random.chance(0.08)) {
    members.push(
      `"player_id":${random.pick(['"0f8fad5b-d9cb-469f-a165-70867728950e"', '"7c9e6679-7425-40de-944b-e07fc1f90ae7"', 'null'])}`,
    );
  }
  if (random.chance(delta ? 0.35 : 0.15)) {
    const states = delta ? ['"withdrawn"', '"suspended"', '"open"'] : ['"suspended"', '"open"', 'null'];
    members.push(`"state":${instead(random, world, random.pick(states), ['"closed"', '5', '"withdrawn"'])}`);
  }
  if (!random.chance(0.08)) members.push(`"price":${priceText(random, world)}`);
  if (random.chance(0.2)) {
    const stamp = random.chance(0.1)
      ? random.pick(placeholders)
      : `"${writeTime(world.now - random.pick([0n, second, minute]))}"`;
    members.push(`"source_timestamp":${instead(random, world, stamp, ['"noon"', '12', '"2025-13-01T00:00:00Z"'])}`);
  }
  return `{${members.join(',')}}`;
}
