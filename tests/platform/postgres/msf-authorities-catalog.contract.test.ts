// Which source is the authority for MSF bodies of a league: one at a time, however many ask at once.
import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import type { MsfAuthoritiesCatalog, MsfClaim } from '../../../core/ports/catalog/msf-authorities.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openMsfAuthoritiesCatalog } from '../../../platform/postgres/msf-authorities-catalog.ts';
import { openPushCatalog } from '../../../platform/postgres/push-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const server of await allTestServers()) {
  describe(`the authority of a league on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let authorities: MsfAuthoritiesCatalog;
    beforeAll(async () => {
      ({ sql } = await openDatabase(server));
      authorities = openMsfAuthoritiesCatalog(sql);
    });
    const rank = (source: string, to: number) => openPushCatalog(sql, silentLog).rankSource(source, to);
    const silent = (league: League, minutes: string) =>
      sql.query(`update msf_authorities set heard_at = now() - $2::interval where league = $1`, [league, minutes]);
    const who = async (claim: Promise<MsfClaim>) => {
      const answer = await claim;
      return answer.kind === 'held' ? 'held' : answer.authority;
    };

    it('is the first that pushes, separately for each league; other sources get its name, as news once an hour', async () => {
      assert.equal(await who(authorities.claim('NBA', 'one')), 'held');
      assert.equal(await who(authorities.claim('NFL', 'two')), 'held');
      assert.equal(await who(authorities.claim('NBA', 'one')), 'held');
      const refused = await authorities.claim('NBA', 'two');
      assert.ok(refused.kind === 'other-source' && refused.authority === 'one' && refused.isNews);
      const again = await authorities.claim('NBA', 'two');
      assert.ok(again.kind === 'other-source' && !again.isNews && again.heardAt === refused.heardAt);
      await sql.query(`update msf_refused_sources set told_at = now() - interval '1 hour'`);
      const later = await authorities.claim('NBA', 'two');
      assert.ok(later.kind === 'other-source' && later.isNews);
      assert.deepEqual(
        (await authorities.list()).map(({ league, source }) => [league, source]),
        [
          ['NBA', 'one'],
          ['NFL', 'two'],
        ],
      );
    });

    it('is another of its rank once it was silent for ten minutes, and no sooner', async () => {
      await authorities.claim('NHL', 'one');
      await silent('NHL', '9 minutes 50 seconds');
      assert.equal(await who(authorities.claim('NHL', 'two')), 'one');
      await silent('NHL', '10 minutes');
      assert.equal(await who(authorities.claim('NHL', 'two')), 'held');
      assert.equal(await who(authorities.claim('NHL', 'one')), 'two');
    });

    it('yields to a higher rank at once and to a lower one never', async () => {
      await rank('low', -1);
      await rank('high', 3);
      assert.equal(await who(authorities.claim('NCAAM', 'low')), 'held');
      assert.equal(await who(authorities.claim('NCAAM', 'plain')), 'held', 'a source that nobody has ranked has 0');
      await silent('NCAAM', '1 day');
      assert.equal(await who(authorities.claim('NCAAM', 'low')), 'plain');
      assert.equal(await who(authorities.claim('NCAAM', 'high')), 'held');
    });

    it('is assigned, whatever the ranks and the last push', async () => {
      await authorities.claim('MLB', 'one');
      assert.equal((await authorities.assign('MLB', 'two'))?.source, 'one');
      assert.equal(await who(authorities.claim('MLB', 'one')), 'two');
      assert.equal(await who(authorities.claim('MLB', 'two')), 'held');
      await sql.query('delete from msf_authorities');
      assert.equal(await authorities.assign('MLB', 'two'), null);
    });

    it('is one alone when thirty-two sources push at once', async () => {
      await sql.query('delete from msf_authorities');
      const sources = Array.from({ length: 32 }, (_, index) => `s${index}`);
      const claims = await Promise.all(sources.map((source) => authorities.claim('NBA', source)));
      assert.equal(claims.filter(({ kind }) => kind === 'held').length, 1);
      const [authority] = await authorities.list();
      assert.equal(claims[sources.indexOf(authority?.source ?? '')]?.kind, 'held');
    });
  });
}
