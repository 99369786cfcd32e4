// The states of tests/vectors/msf: plays of a body, and the last rows of whatever pushes.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonValue } from '../../../../core/json/value.ts';
import { stateDigest } from '../../../../core/msf/digest.ts';
import type { MsfDataset, MsfFeed } from '../../../../core/msf/types.ts';
import { parseRfc3339 } from '../../../../core/time/rfc3339.ts';
import type { League } from '../../../../schemas/reference/leagues.ts';
import { PureStates, plainRows } from '../../../support/builders/msf-states.ts';
import { msfVectors } from '../../../support/vectors/msf-vectors.ts';

type PlaysCase = {
  name: string;
  rule: string;
  league: League;
  game_id: string;
  body: JsonValue;
  expect: { rows: readonly (readonly unknown[])[]; digest: string };
};

type RevisionsCase = {
  name: string;
  rule: string;
  pushes: readonly {
    league: string;
    feed: MsfFeed;
    game?: string;
    request_started_at?: string;
    received_at: string;
    body: JsonValue;
  }[];
  expect: {
    streams: Record<string, readonly { snapshot_digest: string; snapshot_row_count: number }[]>;
    final_rows: Record<string, readonly (readonly unknown[])[]>;
  };
};

describe('plays of the vectors', () => {
  for (const { name, rule, league, game_id, body, expect } of msfVectors<PlaysCase>('plays')) {
    it(`${name}: ${rule}`, () => {
      const states = new PureStates();
      states.push({ league, feed: 'playbyplay', at: 0, body });
      const state = states.state('plays', game_id);
      const rows = plainRows(state) as [string, string, string, number][];
      assert.deepEqual(
        rows.toSorted((a, b) => a[3] - b[3]),
        expect.rows,
      );
      assert.equal(stateDigest(state.map(({ line }) => line)), expect.digest);
    });
  }
});

describe('last states of the vectors', () => {
  for (const { name, rule, pushes, expect } of msfVectors<RevisionsCase>('revisions')) {
    it(`${name}: ${rule}`, () => {
      const states = new PureStates();
      for (const push of pushes) {
        const at = parseRfc3339(push.request_started_at ?? push.received_at)!;
        const { feed, game = null, body } = push;
        states.push({ league: push.league.toUpperCase() as League, feed, game, at, body });
      }
      for (const [stream, rows] of Object.entries(expect.final_rows)) {
        assert.deepEqual(plainRows(states.state(...named(stream))), rows, stream);
      }
      for (const [stream, revisions] of Object.entries(expect.streams)) {
        const state = states.state(...named(stream));
        const last = revisions.at(-1)!;
        assert.equal(state.length, last.snapshot_row_count, stream);
        assert.equal(stateDigest(state.map(({ line }) => line)), last.snapshot_digest, stream);
      }
    });
  }
});

function named(stream: string): [MsfDataset, string] {
  const [dataset, scopeId] = stream.split(' ') as [MsfDataset, string];
  return [dataset, scopeId];
}
