// Real bodies are split without a refusal, whole, into the games they hold; their teams and references are ones that the service can take.

import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { canonicalJson } from '../../../../core/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../../core/json/value.ts';
import { elementRefusal } from '../../../../core/msf/bodies/body.ts';
import { elementOf } from '../../../../core/msf/bodies/element.ts';
import { isMisplaced, placePlays } from '../../../../core/msf/bodies/play-places.ts';
import { isInTable, teamUuid } from '../../../../core/msf/ids.ts';
import { listOf, teamOf, valueAt } from '../../../../core/msf/values.ts';
import { ownId } from '../../../../core/reference/identify.ts';
import { recordRefusal } from '../../../../core/reference/judge.ts';
import type { ReferenceElement } from '../../../../core/reference/types.ts';
import { referencesOf, sourceRevision, splitBody } from '../../../support/builders/in-one-go.ts';
import {
  type MsfRecording,
  msfFiles,
  msfLeagueOf,
  msfRecordings,
  msfRecordingsAbsent,
} from '../../../support/recordings/msf-recordings.ts';
import { skipFor } from '../../../support/vitest/skip-for.ts';

/** The number of games in recordings that do not have exactly one. */
const games: Readonly<Record<string, number>> = {
  'msf-nba-2017/seasonal_games_2017_2018.json.gz': 1_230,
  'msf-nba-2017/daily_team_gamelogs_20171017.json.gz': 2,
  'msf-nba-2017/daily_team_gamelogs_20171018.json.gz': 11,
  'msf-excerpts/nhl_daily_games_excerpt.json.gz': 2,
  'msf-nfl-2024/odds_20240830_empty_response.json.gz': 0,
  'msf-nfl-2024/odds_20240905.json.gz': 0,
};

describe('recorded bodies', skipFor(msfRecordingsAbsent), () => {
  for (const recording of msfRecordings()) {
    it(`${recording.name} is split whole`, () => checkSplit(recording));
    if (recording.feed === 'playbyplay')
      it(`${recording.name} has a place for each play`, () => checkPlaces(recording));
  }
  it('are of every kind that was recorded', () => {
    const feeds = new Set(msfRecordings().map(({ feed }) => feed));
    const kinds = ['boxscore', 'games', 'lineup', 'odds_gamelines', 'playbyplay', 'team_gamelogs'];
    assert.deepEqual([...feeds].sort(), kinds);
  });
  it('name teams that the table has, each under one id and each id under one team', () => {
    const teams = new Map<string, string>();
    for (const { name, body } of msfFiles()) {
      const league = msfLeagueOf(name);
      for (const { id, abbreviation } of teamsIn(body)) {
        assert.ok(isInTable(league, abbreviation), `${league} ${abbreviation}`);
        const uuid = teamUuid(league, abbreviation, id);
        assert.equal(teams.get(`${league} ${id}`) ?? uuid, uuid);
        teams.set(`${league} ${id}`, uuid);
      }
    }
    assert.equal(new Set(teams.values()).size, teams.size);
    assert.equal([...teams.keys()].filter((key) => key.startsWith('NBA')).length, 30);
  });
  it('bring reference data of which every record can be applied', () => {
    const kinds = new Map<string, number>();
    for (const { name, body } of msfFiles()) {
      for (const reference of referencesOf(msfLeagueOf(name), 'games', body)) {
        assert.ok(reference.kind === 'read', reference.pointer);
        assert.equal(refusalOf(reference.element), null, reference.pointer);
        const { kind } = reference.element;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        // A player with a team in the body has a team here.
        if (reference.element.kind === 'player') {
          assert.equal(reference.element.team === null, valueAt(reference.value, 'currentTeam') === null);
        }
      }
    }
    assert.ok(['team', 'venue', 'player'].every((kind) => (kinds.get(kind) ?? 0) >= 30));
  });
});

function checkSplit({ name, league, feed, body }: MsfRecording): void {
  const { observations, refusals } = splitBody({ league, feed, game: null, body });
  assert.deepEqual(refusals, []);
  assert.equal(observations.length, games[name] ?? 1);
  const list = feed === 'games' ? 'games' : 'gamelogs';
  for (const { msfGameId, game, element } of observations) {
    assert.ok(msfGameId !== null && game?.id === msfGameId);
    assert.ok(isInTable(league, game.away.abbreviation ?? '') && isInTable(league, game.home.abbreviation ?? ''));
    assert.equal(elementRefusal(feed, league, msfGameId, element), null);
    assert.equal(elementRefusal(feed, league, msfGameId, JSON.parse(canonicalJson(element)) as JsonValue), null);
    const later = { references: {}, ...element, lastUpdatedOn: '2030-01-01T00:00:00Z' };
    assert.equal(sourceRevision(later), sourceRevision(element));
    if (!(list in element)) assert.deepEqual(element, elementOf(body));
  }
  if (!(list in body)) return;
  const entries = observations.flatMap(({ element }) => listOf(valueAt(element, list)));
  assert.equal(entries.length, listOf(valueAt(body, list)).length);
  assert.deepEqual(new Set(entries), new Set(listOf(valueAt(body, list))));
}

function checkPlaces({ league, body }: MsfRecording): void {
  const placed = placePlays(league, body);
  assert.ok(!isMisplaced(placed));
  assert.deepEqual(
    placed.map(({ play }) => play),
    listOf(valueAt(body, 'plays')),
  );
  const sequences = placed.map(({ period, second, ordinal }) => period * 1e8 + second * 1e3 + ordinal);
  assert.deepEqual(
    sequences,
    [...new Set(sequences)].sort((a, b) => a - b),
  );
}

/** Every team with an id and an abbreviation, at any depth. */
function teamsIn(value: JsonValue): { id: number; abbreviation: string }[] {
  if (isJsonArray(value)) return value.flatMap(teamsIn);
  if (!isJsonObject(value)) return [];
  const inside = Object.entries(value)
    // The references of statistics also have abbreviations.
    .filter(([name]) => !name.endsWith('StatReferences'))
    .flatMap(([, member]) => teamsIn(member));
  const team = isTeam(value) ? teamOf(value) : null;
  if (team === null || team.id === null || team.abbreviation === null) return inside;
  return [{ id: team.id, abbreviation: team.abbreviation }, ...inside];
}

function isTeam(value: JsonObject): boolean {
  return memberOf(value, 'id') !== null && memberOf(value, 'abbreviation') !== null;
}

function refusalOf({ kind, league, sourceId, ...element }: ReferenceElement): object | null {
  const id = ownId('msf', kind, league, sourceId);
  const facts = 'facts' in element ? element.facts : null;
  const record = { id, league, source: 'msf', source_id: sourceId, received_at: 1, push: null, push_index: null };
  const blank = { team: null, player: null, venue: null };
  const said = kind === 'player' ? { ...facts, current_team_id: null } : facts;
  return recordRefusal(id, { ...record, ...blank, [kind]: said });
}
