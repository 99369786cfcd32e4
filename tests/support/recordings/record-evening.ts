// Makes the seeded evening of odds that is checked in next to this file: polls of an evening of simulated MLB games,
// every five minutes, in the form of the recordings in ../shared/data. It stands in for the real evening where that is
// absent. Run it only on purpose, then update its totals in odds-evenings.ts:
//   sh scripts/node.sh tests/support/recordings/record-evening.ts
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pollBody } from '../../../ops/demo/bodies.ts';
import { demoLeagues } from '../../../ops/demo/demo-leagues.ts';
import { type DemoGame, isQuoted, pairing } from '../../../ops/demo/slate.ts';

const seed = 20_260_805;
const opening = Date.UTC(2026, 7, 5, 20) / 1_000;
const polls = 108;
const everySeconds = 300;

/** Twelve games, a quarter of an hour apart; every fourth one starts late. */
const games = Array.from({ length: 12 }, (_, nth): DemoGame => {
  const scheduled = opening + 4_500 + 900 * nth;
  return {
    eventId: `evening-${nth}`,
    feedId: 900_000 + nth,
    league: 'MLB',
    ...pairing('MLB', (nth + 0.5) / 12, (nth + 0.5) / 12),
    scheduled,
    actual: nth % 4 === 3 ? scheduled + 1_020 : scheduled,
    length: demoLeagues.MLB.length,
  };
});

const lines = Array.from({ length: polls }, (_, nth) => {
  const now = opening + everySeconds * nth;
  const data = pollBody(
    seed,
    games.filter((game) => isQuoted(game, now)),
    now,
  );
  return JSON.stringify({ committed_at: new Date(now * 1_000).toISOString(), data });
});
const file = fileURLToPath(new URL('seeded-evening.ndjson.gz', import.meta.url));
writeFileSync(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
