// Commands that correct games, teams and sources, beside a running embedded instance: what they show before they act, and their effects
// (docs/operations.md#the-sds-tool).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { EmbeddedTool } from '../../support/editions/embedded-tool.ts';
import { until } from '../../support/services/until.ts';

const tool = new EmbeddedTool('games');

describe('games, teams and sources by hand', () => {
  beforeAll(() => tool.start());
  afterAll(() => tool.stop());

  it('takes a name from a team only when that is asked for', async () => {
    const alias = (team: string, ...more: string[]) => ['teams', 'alias', 'MLB', 'The Bombers', team, ...more];
    assert.equal((await tool.json(...alias('nyy'))).taken_from, null);
    assert.equal((await tool.json(...alias('NYY'))).taken_from, null, 'said twice');
    await tool.endWith(3, [
      [alias('BOS'), /The Bombers means MLB NYY now, and will mean MLB BOS; nothing was done: add --yes/],
    ]);
    const { abbreviation, taken_from: from } = await tool.json(...alias('BOS', '--yes'));
    assert.deepEqual([abbreviation, from], ['BOS', 'NYY']);
  });

  it('ranks a source only when that is asked for', async () => {
    const rank = (to: string, ...more: string[]) => ['sources', 'rank', 'ranked', to, ...more];
    await tool.endWith(3, [[rank('-1'), /ranked has rank 0, and will have rank -1 .*nothing was done: add --yes/]]);
    assert.deepEqual(await tool.json(...rank('-1', '--yes')), { source: 'ranked', rank: -1, before: 0 });
    assert.deepEqual(await tool.json(...rank('7', '--yes')), { source: 'ranked', rank: 7, before: -1 });
    const listed = (await tool.json('sources', 'list')).data as Record<string, unknown>[];
    assert.equal(listed.find(({ source }) => source === 'ranked')?.rank, 7);
  });

  it('names the games that should have ended and have not closed, until they are', async () => {
    const began = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const teams = { home_team: 'Duke Blue Devils', away_team: 'UConn Huskies' };
    const game = { league: 'NCAAM', event_id: 'past', ...teams, commence_time: began };
    const quotes = [{ market: 'moneyline', selection: 'home', price: { american: -145 } }];
    const event = { kind: 'image', operator: 'somebook', game, quotes };
    assert.equal((await tool.push('college', 'quotes', { events: [event] })).status, 202);
    const overdue = async () => (await tool.json('status')).overdue_games as string[];
    await until('the game has a log', async () => (await overdue()).length > 0);
    const [id, ...others] = await overdue();
    assert.deepEqual(others, []);
    assert.match(
      (await tool.sds('status')).out,
      new RegExp(`^games not closed two days after their start: 1, first ${id}; `, 'm'),
    );
    await tool.json('games', 'settle', id as string, '--yes');
    await until('the game is closed', async () => (await overdue()).length === 0);
    assert.doesNotMatch((await tool.sds('status')).out, /not closed two days/);
  });

  it('takes an event from its game, and lets a name hold for all that a source has told', async () => {
    const push = async (source: string, route: string, body: object): Promise<Record<string, unknown>> =>
      (await tool.push(source, route, body)).body;
    const quotes = (eventId: string, home_team: string, away_team: string) => {
      const game = { league: 'NFL', event_id: eventId, home_team, away_team, commence_time: '2031-12-01T01:20:00Z' };
      const quote = { market: 'moneyline', selection: 'home', price: { american: -145 } };
      return { events: [{ kind: 'image', operator: 'somebook', game, quotes: [quote] }] };
    };
    const codeOf = (answer: Record<string, unknown>) => (answer.rejected as { code: string }[])[0]?.code ?? null;

    assert.equal(codeOf(await push('wrong', 'quotes', quotes('w 1', 'DET', 'PHI'))), null);
    const right = quotes('r1', 'PHI', 'DET');
    assert.equal(codeOf(await push('right', 'quotes', right)), 'game-conflict');
    await tool.endWith(3, [
      [['games', 'unbind', 'wrong', 'w 1'], /is unbound from NFL_PHI_DET_20311130.*has no events left/],
    ]);
    const unbound = await tool.json('games', 'unbind', 'wrong', 'w 1', '--yes');
    assert.deepEqual([unbound.game_id, unbound.events_left], ['NFL_PHI_DET_20311130', 0]);
    assert.equal(codeOf(await push('right', 'quotes', right)), null);
    const shown = await tool.json('games', 'show', 'NFL_DET_PHI_20311130');
    assert.deepEqual(shown.events, [{ source: 'right', event_id: 'r1', commence_time: '2031-12-01T01:20:00.000000Z' }]);

    assert.equal(codeOf(await push('odd', 'quotes', quotes('o1', 'The Pack', 'CHI'))), null);
    const unresolved = async () =>
      ((await tool.json('games', 'unresolved')).data as { home_team: string }[]).map((game) => game.home_team);
    assert.deepEqual(await unresolved(), ['The Pack']);
    await push('other', 'reference', {
      teams: [{ id: 1, league: 'NFL', name: 'Green Bay Packers', aliases: ['The Pack'] }],
    });
    const reported = { league: 'NFL', name: 'The Pack', source: 'other', abbreviation: 'GB', for_all: null };
    const waiting = async () => (await tool.json('teams', 'aliases', '--unconfirmed')).data;
    await until('the names are folded', async () => ((await waiting()) as unknown[]).length > 0);
    assert.deepEqual([await waiting(), await unresolved()], [[reported], ['The Pack']]);
    const alias = ['teams', 'alias', 'nfl', 'the pack', 'gb', '--confirm', '--source'];
    await tool.endWith(1, [[[...alias, 'odd'], /odd has not reported that NFL GB is called the pack/]]);
    const confirmed = await tool.json(...alias, 'other');
    assert.deepEqual([confirmed.confirmed, confirmed.minted], [['other'], ['NFL_CHI_GB_20311130']]);
    assert.deepEqual([await waiting(), await unresolved()], [[], []]);

    const assign = ['sources', 'assign', 'NFL_DET_PHI_20311130', 'somebook'];
    await tool.endWith(1, [[[...assign, 'wrongg', '--yes'], /source wrongg has pushed nothing: did you mean wrong\?/]]);
    await until('the quotes are folded', async () =>
      /its owner is right/.test((await tool.sds(...assign, 'wrong')).err),
    );
    assert.equal((await tool.json(...assign, 'wrong', '--yes')).before, 'right');
    await tool.endWith(1, [
      [
        ['sources', 'assign', 'NFL_DET_PHI_20311130', 'some_book', 'wrong', '--yes'],
        /no source has quoted SOME_BOOK in any live game: did you mean SOMEBOOK\?/,
      ],
    ]);
    // The operator is known from another game: the plan names its owner, although this game's log does not.
    const elsewhere = quotes('e1', 'DAL', 'NYG').events.map((event) => ({ ...event, operator: 'otherbook' }));
    assert.equal(codeOf(await push('right', 'quotes', { events: elsewhere })), null);
    const early = ['sources', 'assign', 'NFL_NYG_DAL_20311130', 'somebook'];
    await tool.endWith(3, [[[...early, 'wrong'], /wrong owns SOMEBOOK in .*; no source owns it there yet; nothing/]]);
    assert.equal((await tool.json(...early, 'wrong', '--yes')).before, null);
    await tool.endWith(3, [[[...early, 'right'], /right owns SOMEBOOK in .*; its owner is wrong; nothing was done/]]);

    const status = ['games', 'status', 'NFL_DET_PHI_20311130'];
    await tool.endWith(3, [
      [
        [...status, 'cancelled'],
        /NFL_DET_PHI_20311130 is SCHEDULED and becomes CANCELLED; it closes after ten minutes/,
      ],
      [[...status, 'SUSPENDED', '--yes'], /is SCHEDULED and does not become SUSPENDED: it may become DELAYED, STARTED/],
    ]);
    await tool.endWith(2, [[[...status, 'OVER', '--yes'], /OVER is not a status; use one of SCHEDULED, DELAYED/]]);
    const moved = await tool.json(...status, 'cancelled', '--yes');
    assert.deepEqual([moved.from, moved.status], ['SCHEDULED', 'CANCELLED']);
    assert.equal((await tool.json('games', 'show', 'NFL_DET_PHI_20311130')).status, 'CANCELLED');
    await tool.endWith(3, [[[...status, 'STARTED', '--yes'], /is CANCELLED and does not become STARTED: it stays so/]]);
  });
});
