// The catalog of reference data on real PostgreSQL: identities under concurrent pushes, and commits that happen whole, once, by the newest
// owner of a partition, or not at all (I19).
import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import type { CheckpointsCatalog } from '../../../core/ports/catalog/checkpoints.ts';
import type { GamesCatalog } from '../../../core/ports/catalog/games.ts';
import type { ReferenceCatalog } from '../../../core/ports/catalog/reference.ts';
import { ownId } from '../../../core/reference/identify.ts';
import type { ReferenceElement } from '../../../core/reference/types.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openGamesCatalog } from '../../../platform/postgres/games-catalog.ts';
import { openReferenceCatalog } from '../../../platform/postgres/reference-catalog.ts';
import type { GamesRecord, TeamFacts } from '../../../schemas/events/games.ts';
import { allTestServers, openDatabase, type TestDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const noFacts = { aliases: [], city: null, nickname: null, conference: null, division: null, is_active: null };
const facts = (name: string, more: Partial<TeamFacts> = {}): TeamFacts => ({
  name,
  abbreviation: null,
  ...noFacts,
  ...more,
});
const team = (sourceId: string, name: string, more: Partial<TeamFacts> = {}): ReferenceElement => ({
  kind: 'team',
  league: 'NCAAM',
  sourceId,
  facts: facts(name, more),
});

function playerRecord(
  source: string,
  sourceId: string,
  lastName: string,
  more: Partial<GamesRecord> = {},
): GamesRecord {
  return {
    id: ownId(source, 'player', 'NBA', sourceId),
    league: 'NBA',
    source,
    source_id: sourceId,
    received_at: 1,
    push: null,
    push_index: null,
    team: null,
    player: {
      first_name: 'F',
      last_name: lastName,
      position: null,
      jersey_number: null,
      current_team_id: null,
      is_active: true,
    },
    venue: null,
    ...more,
  };
}

for (const server of await allTestServers()) {
  describe(`reference data on ${server.name}`, skipFor(server.skip), () => {
    const stream = { projector: 'reference', topic: 'sds.games.v1', partition: 0 };
    let database: TestDatabase;
    let reference: ReferenceCatalog;
    let games: GamesCatalog;
    let checkpoints: CheckpointsCatalog;
    let ownerEpoch: number;
    let offset = 0;

    beforeAll(async () => {
      database = await openDatabase(server);
      reference = openReferenceCatalog(database.sql);
      games = openGamesCatalog(database.sql);
      checkpoints = openCheckpointsCatalog(database.sql);
      await games.seedTeams();
      ({ ownerEpoch } = await checkpoints.claim(stream, 'test'));
    });

    function commit(records: readonly GamesRecord[], from = offset, epoch = ownerEpoch) {
      return reference.commit({
        stream,
        ownerEpoch: epoch,
        from,
        to: from + records.length,
        foldDigest: '',
        snapshot: null,
        logVersion: null,
        objects: [],
        released: [],
        deadLetters: [],
        receipts: [],
        records: records.map((record, at) => ({ offset: from + at, record })),
      });
    }
    async function committed(records: readonly GamesRecord[]): Promise<void> {
      assert.equal(await commit(records), 'committed');
      offset += records.length;
    }
    const names = async () =>
      (await reference.players({ league: 'NBA', teamId: null, after: null, limit: 100 }))
        .map((one) => one.last_name)
        .sort();

    it('makes one team of the pushes that name it at once, and gives those that collide abbreviations of their own', async () => {
      const pushes = Array.from({ length: 12 }, (_, at) => [
        team(`s${at % 3}`, `North Carolina School ${at % 3}`),
        team('shared', 'Shared College'),
      ]);
      const answers = await Promise.all(pushes.map((elements, at) => reference.identify(`source-${at}`, elements)));
      const ids = answers.map((all) => all.map((one) => (one.kind === 'identified' ? one.id : one.refusal.code)));
      assert.equal(new Set(ids.map(([, shared]) => shared)).size, 1);
      assert.equal(new Set(ids.map(([own]) => own)).size, 3);
      const teams = await reference.teams({ league: 'NCAAM', after: null, limit: 100 });
      assert.deepEqual(teams.map(({ abbreviation }) => abbreviation).sort(), [
        'NORTHCAROLI2',
        'NORTHCAROLI3',
        'NORTHCAROLIN',
        'SHAREDCOLLEG',
      ]);
    });

    it('answers the same again, for as long as the source keeps its id', async () => {
      const first = await reference.identify('again', [team('1', 'Again College')]);
      const renamed = await reference.identify('again', [team('1', 'Shared College')]);
      assert.deepEqual(
        [first, renamed]
          .map(([one]) => (one?.kind === 'identified' ? one.id : null))
          .map((id, _at, all) => id === all[0]),
        [true, true],
      );
    });

    it('applies a commit whole and once: of one thing the last record counts', async () => {
      await committed([
        playerRecord('a', '1', 'First'),
        playerRecord('a', '2', 'Other'),
        playerRecord('a', '1', 'Last'),
      ]);
      assert.deepEqual(await names(), ['Last', 'Other']);
      assert.equal(await commit([playerRecord('a', '1', 'Again')], offset - 1), 'fenced', 'an offset that is passed');
      const successor = await checkpoints.claim(stream, 'successor');
      assert.equal(await commit([playerRecord('a', '1', 'Zombie')]), 'fenced', 'an owner that is no more');
      assert.deepEqual(await names(), ['Last', 'Other']);
      ({ ownerEpoch } = successor);
    });

    it('takes the facts of a player from its founder alone, and lets other sources share its id', async () => {
      const shared = ownId('a', 'player', 'NBA', '1');
      await committed([playerRecord('b', '9', 'Impostor', { id: shared })]);
      assert.deepEqual(await names(), ['Last', 'Other']);
      assert.deepEqual(
        [...(await reference.playersCalled('b', [{ league: 'NBA', sourceId: '9' }]))],
        [['player/NBA/9', shared]],
      );
      assert.equal((await reference.playersCalled('b', [{ league: 'NHL', sourceId: '9' }])).size, 0);
    });

    it('makes a dead letter of a record about an unknown team, and applies the others', async () => {
      const nowhere = { ...playerRecord('a', '3', 'Homeless').player, current_team_id: ownId('x', 'team', 'NBA', 'x') };
      await committed([
        playerRecord('a', '3', '', { player: nowhere as NonNullable<GamesRecord['player']> }),
        playerRecord('a', '4', 'Neighbour'),
      ]);
      assert.deepEqual(await names(), ['Last', 'Neighbour', 'Other']);
      const { rows } = await database.sql.query('select code, partition, "offset", payload from dead_letters');
      assert.deepEqual(
        rows.map((row) => [row.code, row.partition, row.offset]),
        [['unknown-team', 0, offset - 2]],
      );
      assert.match(String(rows[0]?.payload), /Homeless/);
    });

    it('gives a team names that hold for the source that told them, and leaves others with whom they name', async () => {
      const [cubs] = (await reference.teams({ league: 'MLB', after: null, limit: 100 })).filter(
        ({ abbreviation }) => abbreviation === 'CHC',
      );
      const record = playerRecord('a', 'cubs', '', {
        league: 'MLB',
        id: cubs?.id ?? '',
        player: null,
        team: facts('The Lovable Losers', { aliases: ['New York Yankees', 'D-backs'], city: 'Elsewhere' }),
      });
      await committed([record]);
      const found = async (source: string, home: string) => {
        const [one] = await games.resolve(source, [
          {
            by: 'event',
            league: 'MLB',
            eventId: home,
            homeTeam: home,
            awayTeam: 'SEA',
            commenceTime: 2e15 + home.length * 3e11,
          },
        ]);
        return one?.kind === 'resolved' ? one.game.gameId.split('_')[2] : one?.kind;
      };
      assert.deepEqual(
        [await found('a', 'the lovable losers'), await found('a', 'New York Yankees'), await found('a', 'D-backs')],
        ['CHC', 'NYY', 'ARI'],
      );
      assert.equal(await found('b', 'the lovable losers'), undefined, 'another source has its own names');
      const after = (await reference.teams({ league: 'MLB', after: null, limit: 100 })).find(
        ({ id }) => id === cubs?.id,
      );
      assert.deepEqual(after, cubs, 'facts of the reference table stay');
    });
  });
}
