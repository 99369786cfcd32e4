// Every benchmark runs at a toy size and prints its figures. The figures are not asserted: a test that measures time fails on
// a busy machine.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type Bench, openRun } from '../../bench/bench.ts';
import { charges } from '../../bench/charges.ts';
import { controlPlane } from '../../bench/control-plane.ts';
import { crowds } from '../../bench/crowds.ts';
import { eventStreams } from '../../bench/event-streams.ts';
import { flushCost } from '../../bench/flush-cost.ts';
import { footprint } from '../../bench/footprint.ts';
import { freshness } from '../../bench/freshness.ts';
import { gatewayCore } from '../../bench/gateway-core.ts';
import { hostileRequests } from '../../bench/hostile-requests.ts';
import { limits } from '../../bench/limits.ts';
import { neighbours } from '../../bench/neighbours.ts';
import { observations } from '../../bench/observations.ts';
import { rebuild } from '../../bench/rebuild.ts';
import { revisionCost } from '../../bench/revision-cost.ts';
import { serving } from '../../bench/serving.ts';
import { servingOdds } from '../../bench/serving-odds.ts';
import { servingStreams } from '../../bench/serving-streams.ts';
import { servingWithServices } from '../../bench/serving-with-services.ts';
import { settleEncode } from '../../bench/settle-encode.ts';
import { slowSenders } from '../../bench/slow-senders.ts';
import { throughput } from '../../bench/throughput.ts';
import { ticks } from '../../bench/ticks.ts';
import { caseOutOfTurn, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const figures: readonly [Bench, RegExp][] = [
  [throughput, /embedded edition: \S+ quotes\/s/],
  [flushCost, /last ÷ first = \d/],
  [freshness, /accepted: p50 \d+ ms/],
  [serving, /closed segment .* = \d/],
  [footprint, /slope -?\d/],
  [hostileRequests, /1,000 ranges \d[\s\S]*hostile text: p50 \d/],
  [limits, /in Redis, one hot key: \S+\/s/],
  [crowds, /p99 beside \d+ readers who take nothing \d/],
  [slowSenders, /slow senders to the API \d[\s\S]*slow senders to the gateway \d/],
  [servingWithServices, /board, .* = \d|not measured/],
  [neighbours, /small pushes: pushes until visible p99 \d[\s\S]*reads p99 \d/],
  [observations, /observations\/s to revisions .* = \d/],
  [revisionCost, /player-stats.* = \d[\s\S]*plays.* = \d/],
  [servingStreams, /changes after .* = \d/],
  [eventStreams, /head at the client.* p50 \d+ ms[\s\S]*p99 beside \d+ idle streams \d/],
  [servingOdds, /odds, one market .* = \d/],
  [ticks, /the log grows by \d[\s\S]*CPU of one tick for .* = \d/],
  [settleEncode, /one DuckDB pass \d+ ms: \d/],
  [charges, /one account, 64 readers: \S+ charges\/s/],
  [controlPlane, /commits\/s .* = \d[\s\S]*are due for a tick: \d/],
  [
    gatewayCore,
    /175 quotes a push: \S+ pushes and \S+ quotes per CPU second[\s\S]*all traced .* = \d[\s\S]*not traced: \d|not measured/,
  ],
  [rebuild, /rebuilt \S+ rows\/s ÷ live .* = \d/],
];

describe('benchmarks at a toy size', () => {
  for (const [index, [bench, expected]] of figures.entries()) {
    it(`${bench.letter}) prints its figure`, skipFor(outOfTurn() || caseOutOfTurn(index, 10)), async () => {
      const printed: string[] = [];
      await bench.run(
        openRun(
          true,
          (line) => printed.push(line),
          () => {},
        ),
      );
      assert.match(printed.join('\n'), expected);
    });
  }
});
