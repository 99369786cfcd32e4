// One table of leagues, and nothing beside it: the book's table says the same, no other file of the product enumerates leagues or decides by
// one, and what is derived from the table has the form that its users need.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { isPublicId } from '../../../core/games/public-id.ts';
import { isLeague, teamsAppear } from '../../../core/league-code.ts';
import { polledLeagues } from '../../../core/msf/polling/pulls.ts';
import { demoLeagues } from '../../../ops/demo/demo-leagues.ts';
import { pathParameters } from '../../../schemas/http/path-parameters.ts';
import { inWords, type LeagueFacts, leagues, leaguesOf, leagueTable } from '../../../schemas/reference/leagues.ts';
import { teamRows } from '../../../schemas/reference/teams.ts';
import { leaguesSaid } from '../../oracle/leagues.ts';
import { readCheckout } from '../../support/architecture/read-checkout.ts';

const root = dirname(fileURLToPath(new URL('../..', import.meta.url)));
const facts: Readonly<Record<string, LeagueFacts>> = leagueTable;

/** Files that treat each league in turn. */
const tables = ['schemas/reference/leagues.ts', 'schemas/reference/teams.ts', 'ops/demo/demo-leagues.ts'];
/** Files or folders that depend on a single league because they show an example. */
const examples = [
  'api/documents/samples.ts',
  'clients/conformance/',
  'ingest/documents/guide.ts',
  'ops/demo/short-game.ts',
];

const anyCode = `(?:${leagues.join('|')})`;

/** The leagues that a text names. */
function namedIn(text: string): Set<string> {
  return new Set(text.match(new RegExp(`\\b${anyCode}\\b`, 'g')));
}

/** Lines of code, or paragraphs of prose, that name several leagues. */
function enumerations(path: string, text: string): string[] {
  return text.split(path.endsWith('.md') ? '\n\n' : '\n').filter((each) => namedIn(each).size > 1);
}

/** Lines of code in which a league's code is a value or a key. */
function decisions(text: string): string[] {
  const written = new RegExp(`(['"\`])${anyCode}\\1|[{,(\\s]${anyCode}\\s*:|\\.${anyCode}\\b`);
  return text.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && written.test(line));
}

describe('the table of leagues', () => {
  it('is what the book says', () => {
    const book = readFileSync(`${root}/docs/interface.md`, 'utf8');
    const section = book.slice(book.indexOf('\n### Leagues\n')).split('\n### ')[1] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('|'));
    const shown = Object.entries(facts).map(([code, { name, sport, regulation, teams, oddsApi, mySportsFeeds }]) => {
      const { part, parts, seconds, overtimeSeconds } = regulation;
      const regular = `${parts} ${part === 'half' ? 'halves' : `${part}s`}${seconds === null ? '' : ` of ${seconds} s`}`;
      const overtime = overtimeSeconds === null ? '–' : `${overtimeSeconds} s`;
      const polled = mySportsFeeds === null ? '–' : `\`${mySportsFeeds}\``;
      return `| ${[code, name, sport, regular, overtime, teams, `\`${oddsApi}\``, polled].join(' | ')} |`;
    });
    assert.deepEqual(rows.slice(2), shown);
  });

  it('is what the oracles were told', () => {
    const words = {
      'american football': 'football',
      'ice hockey': 'hockey',
      baseball: 'baseball',
      basketball: 'basketball',
    };
    const ours = Object.entries(facts).map(([code, { sport, regulation, teams, oddsApi }]) => {
      const { part, parts: regular, seconds, overtimeSeconds: overtime } = regulation;
      const said = { sport: words[sport], part, regular, seconds, overtime, appear: teams === 'appearing' };
      return [code, { ...said, sportKey: oddsApi }];
    });
    assert.deepEqual(leaguesSaid, Object.fromEntries(ours));
  });

  it('gives each league names of its own, and codes that a game id can begin with', () => {
    const all = Object.values(facts);
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
    assert.equal(new Set(all.map(({ oddsApi }) => oddsApi)).size, all.length);
    const paths = all.flatMap(({ mySportsFeeds }) => mySportsFeeds ?? []);
    assert.equal(new Set(paths).size, paths.length);
    for (const league of leagues) {
      assert.match(league, /^[A-Z]{2,8}$/);
      assert.ok(isPublicId(`${league}_AAA_BBB_20260109`), league);
      assert.ok(pathParameters.league.safeParse(league.toLowerCase()).success, league);
      assert.ok(pathParameters.game_id.safeParse(`${league}_AAA_BBB_20260109`).success, league);
    }
  });

  it('has the teams, or the names of teams, that its games need', () => {
    const listed = leagues.filter((league) => facts[league]?.teams === 'listed');
    assert.deepEqual(new Set(Object.keys(teamRows)), new Set(listed));
    for (const [league, rows] of Object.entries(teamRows)) assert.ok(rows.length > 3, league);
    for (const league of leagues) {
      assert.equal(teamsAppear(league), !listed.includes(league), league);
      assert.equal(demoLeagues[league].teams === null, listed.includes(league), league);
    }
  });

  it('says what the poller asks for', () => {
    assert.deepEqual(
      polledLeagues,
      leagues.filter((league) => facts[league]?.mySportsFeeds !== null),
    );
  });

  it('knows a league by its upper-case code alone', () => {
    for (const text of ['', 'nba', 'NBA ', 'XFL', 'toString', 'constructor', '__proto__']) {
      assert.ok(!isLeague(text), text);
      assert.ok(!teamsAppear(text), text);
    }
    assert.ok(leagues.every(isLeague));
  });

  it('is told in words', () => {
    assert.equal(inWords([], 'and'), '');
    assert.equal(inWords(leaguesOf('ice hockey'), 'and'), 'NHL');
    assert.equal(inWords(['NBA', 'NFL'], 'and'), 'NBA and NFL');
    assert.equal(inWords(['MLB', 'NBA', 'NFL'], 'or'), 'MLB, NBA or NFL');
  });
});

describe('what leagues there are', () => {
  const product = readCheckout(root).filter(({ path }) => !path.startsWith('tests/') && !tables.includes(path));

  it('is enumerated nowhere else, in prose or in code', () => {
    for (const { path, text } of product) {
      const table = path === 'docs/interface.md' ? /\n\| code \| name[^\n]*(?:\n\|[^\n]*)+/ : /$^/;
      assert.deepEqual(enumerations(path, text.replace(table, '')), [], path);
    }
  });

  it('decides nothing but by the table', () => {
    for (const { path, text } of product) {
      if (!path.endsWith('.ts') || examples.some((each) => path.startsWith(each))) continue;
      assert.deepEqual(decisions(text), [], path);
    }
  });

  it('would be seen', () => {
    for (const line of ["['NBA', 'NFL']", 'NBA and NCAAM.', '/^(MLB|NBA)_/'])
      assert.equal(enumerations('a.ts', line).length, 1);
    assert.equal(enumerations('a.md', 'Games of the NHL or\nthe MLB.\n\nMore.').length, 1);
    for (const line of ['league/NBA', 'an NFL Sunday', 'WNBAX and NHLX'])
      assert.equal(enumerations('a.ts', line).length, 0);
    for (const line of ["if (league === 'MLB') x();", '  NBA: 4,', 'courses.NHL.regular', "t.league = 'NCAAM'"])
      assert.equal(decisions(line).length, 1, line);
    for (const line of [
      '// the NBA: a league',
      ' * in `NBA` alone',
      'const text = "--league NBA";',
      '`/v1/games?league=NBA`',
    ])
      assert.equal(decisions(line).length, 0, line);
  });
});
