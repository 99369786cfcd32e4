// `npm run proof`: the campaigns in full (kills, freezes, outages, simulated faults, the drill), in episodes with a world each.
// Prints seeds, figures and sums. Passed episodes are recorded below `.cache/proof`, so that an interrupted run
// continues.
//
//   npm run proof                       everything that has not passed yet, with the seed of the run before
//   npm run proof -- crash embedded     the episodes whose names contain these words
//   npm run proof -- --fresh            from the beginning, with a new seed
//   SDS_SEED=42 npm run proof           with this seed
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CrashFigures, crashCampaign, describeCrashes } from './support/campaigns/crash.ts';
import { describeFollowers, type FollowersFigures, followersCampaign } from './support/campaigns/demo-followers.ts';
import { describeLivePage, type LivePageFigures, livePageCampaign } from './support/campaigns/live-page.ts';
import { describeMixed, type MixedFigures, mixedCampaign } from './support/campaigns/mixed-clients.ts';
import { editions } from './support/campaigns/place.ts';
import { sampledFiles } from './support/campaigns/sampled-files.ts';
import {
  describeSchemathesis,
  type SchemathesisFigures,
  schemathesisCampaign,
} from './support/campaigns/schemathesis.ts';
import { describeSwitches, type SwitchFigures, switchCampaign } from './support/campaigns/switch.ts';
import { describeTenants, type TenantsFigures, tenantsCampaign } from './support/campaigns/tenants.ts';
import { describeZombies, type ZombieFigures, zombieCampaign } from './support/campaigns/zombie.ts';
import { drillFaults } from './support/drill/drill-faults.ts';
import { type DrillResult, describeResult, hasPassed, runDrill } from './support/drill/run-drill.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = join(root, '.cache', 'proof');

const killsPerEpisode = 30;
const freezesPerEpisode = 10;
const episodesPerEdition = 6;
const settlementsPerEdition = 200;
const tenantsEpisodesPerEdition = 3;
const killsAmongTenants = 12;
const followedMs = 600_000;
const killsOfEachFollowed = 3;
const openPageMs = 1_800_000;
const mixedMs = 180_000;
const killsAmongMixed = 30;
const generatedRequests = 20_000;

type Passed = {
  name: string;
  seed: number;
  crash?: CrashFigures;
  zombie?: ZombieFigures;
  switches?: SwitchFigures;
  tenants?: TenantsFigures;
  followers?: FollowersFigures;
  page?: LivePageFigures;
  mixed?: MixedFigures;
  requests?: SchemathesisFigures;
  drill?: DrillResult;
  seconds: number;
};
const recordedGames = 'tests/whole/recordings/msf.e2e.test.ts';
/** Sampled files of which an episode has more than the file. */
const ownEpisode = [
  recordedGames,
  'tests/whole/campaigns/drill.e2e.test.ts',
  'tests/whole/campaigns/metering.e2e.test.ts',
  'tests/whole/campaigns/schemathesis.service.test.ts',
];

/** A string says what is missing for it. */
type Episode = {
  name: string;
  run(seed: number, say: (line: string) => void): Promise<Omit<Passed, 'name' | 'seed' | 'seconds'> | string>;
};

const numbers = Array.from({ length: episodesPerEdition }, (_, index) => index + 1);
const episodes: readonly Episode[] = [
  ...numbers.flatMap((number) => editions.map((edition) => crashEpisode(edition, number))),
  ...numbers.flatMap((number) => editions.map((edition) => zombieEpisode(edition, number))),
  ...editions.map(switchEpisode),
  ...numbers
    .slice(0, tenantsEpisodesPerEdition)
    .flatMap((number) => editions.map((edition) => tenantsEpisode(edition, number))),
  ...editions.map(followersEpisode),
  ...editions.map(mixedEpisode),
  livePageEpisode(),
  fileEpisode(
    'outages',
    ['outage-disk-full', 'outage-instances'].map((name) => `tests/whole/campaigns/${name}.e2e.test.ts`),
  ),
  drillEpisode(),
  fileEpisode('metering', ['tests/whole/campaigns/metering.e2e.test.ts'], { SDS_CAMPAIGN: '10' }),
  schemathesisEpisode(),
  fileEpisode(
    'simulation',
    ['live/live-projector', 'revisions/revisions-projector'].map((name) => `tests/projectors/${name}.sim.test.ts`),
    { SDS_CAMPAIGN: '5' },
  ),
  fileEpisode('properties', ['unit', 'prop'], { SDS_CAMPAIGN: '1' }),
  ...sampledFiles
    .filter((file) => !ownEpisode.includes(file))
    .map((file) => fileEpisode(`whole-${basename(file).replace(/\..*/, '')}`, [file], { SDS_CAMPAIGN: '1' })),
  fileEpisode('recorded-games', [recordedGames], { SDS_CAMPAIGN: '10' }),
];

function crashEpisode(edition: (typeof editions)[number], number: number): Episode {
  return {
    name: `crash-${edition}-${number}`,
    async run(seed, say) {
      const crash = await crashCampaign({ edition, seed, kills: killsPerEpisode, cover: true, say });
      if (typeof crash === 'string') return crash;
      console.log(`  ${describeCrashes(crash)}`);
      return { crash };
    },
  };
}

function zombieEpisode(edition: (typeof editions)[number], number: number): Episode {
  return {
    name: `zombie-${edition}-${number}`,
    async run(seed, say) {
      const zombie = await zombieCampaign({ edition, seed, freezes: freezesPerEpisode, full: true, say });
      if (typeof zombie === 'string') return zombie;
      console.log(`  ${describeZombies(zombie)}`);
      return { zombie };
    },
  };
}

function switchEpisode(edition: (typeof editions)[number]): Episode {
  return {
    name: `switch-${edition}`,
    async run(seed, say) {
      const switches = await switchCampaign({
        edition,
        seed,
        settlements: settlementsPerEdition,
        clients: 32,
        atOnce: 8,
        say,
      });
      if (typeof switches === 'string') return switches;
      console.log(`  ${describeSwitches(switches)}`);
      return { switches };
    },
  };
}

function tenantsEpisode(edition: (typeof editions)[number], number: number): Episode {
  return {
    name: `tenants-${edition}-${number}`,
    async run(seed, say) {
      const figures = await tenantsCampaign({
        edition,
        seed,
        rounds: 3,
        quietMs: 40_000,
        besideMs: 40_000,
        kills: killsAmongTenants,
        full: true,
        say,
      });
      if (typeof figures === 'string') return figures;
      console.log(`  ${describeTenants(figures)}`);
      return { tenants: figures };
    },
  };
}

function followersEpisode(edition: (typeof editions)[number]): Episode {
  return {
    name: `followers-${edition}`,
    async run(seed, say) {
      const figures = await followersCampaign({ edition, seed, forMs: followedMs, kills: killsOfEachFollowed, say });
      if (typeof figures === 'string') return figures;
      console.log(`  ${describeFollowers(figures)}`);
      return figures.missing.length > 0 ? figures.missing.join('; ') : { followers: figures };
    },
  };
}

function mixedEpisode(edition: (typeof editions)[number]): Episode {
  return {
    name: `mixed-${edition}`,
    async run(seed, say) {
      const figures = await mixedCampaign({
        edition,
        seed,
        clients: 64,
        mixedMs,
        kills: killsAmongMixed,
        shortGames: 40,
        slowReaders: 200,
        slowMs: 20_000,
        say,
      });
      if (typeof figures === 'string') return figures;
      console.log(`  ${describeMixed(figures)}`);
      return { mixed: figures };
    },
  };
}

function livePageEpisode(): Episode {
  return {
    name: 'live-page',
    async run(seed, say) {
      const page = await livePageCampaign({ seed, forMs: openPageMs, say });
      if (typeof page === 'string') return page;
      console.log(`  ${describeLivePage(page)}`);
      return { page };
    },
  };
}

/** All that `npm run drill` does, held to the same limits. */
function drillEpisode(): Episode {
  return {
    name: 'drill',
    async run(seed, say) {
      const drill = await runDrill({ seed, faults: drillFaults, say });
      if (typeof drill === 'string') return drill;
      console.log(`\n${describeResult(drill)}`);
      if (!hasPassed(drill)) throw new Error('the drill is late or not correct');
      return { drill };
    },
  };
}

/** Requests made of the service's own description, in number. */
function schemathesisEpisode(): Episode {
  return {
    name: 'schemathesis',
    async run(seed, say) {
      const requests = await schemathesisCampaign({ seed, valid: 360, wrong: 40, say });
      if (typeof requests === 'string') return requests;
      console.log(`  ${describeSchemathesis(requests)}`);
      if (requests.requests < generatedRequests) throw new Error(`fewer than ${generatedRequests} requests`);
      if (2 * requests.good < requests.requests) throw new Error('less than half of the answers are good');
      if (requests.barren.length > 0) throw new Error(`no 2xx of ${requests.barren.join(', ')}`);
      return { requests };
    },
  };
}

/** Test files, run at length, one at a time. */
function fileEpisode(name: string, files: readonly string[], environment: Record<string, string> = {}): Episode {
  return {
    name,
    async run(seed) {
      const child = spawn(process.execPath, ['scripts/test.ts', ...files, '--no-file-parallelism'], {
        cwd: root,
        env: { ...process.env, SDS_SEED: String(seed), SDS_TEST_FILE_MINUTES: '600', ...environment },
        stdio: 'inherit',
      });
      const code = await new Promise((resolve) => child.once('close', resolve));
      if (code !== 0) throw new Error(`${files.join(', ')} ended with ${String(code)}`);
      return {};
    },
  };
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--fresh')) rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const words = args.filter((word) => word !== '--fresh');
  const base = seedOfRun();
  console.log(`Seed ${base} (SDS_SEED=${base} npm run proof repeats it)`);
  const names = episodes.map(({ name }) => name);
  const wanted = episodes.filter(({ name }) => words.every((word) => name.includes(word)));
  if (wanted.length === 0) {
    console.error(`No episode has all of these words in its name: ${words.join(' ')}. There are ${names.join(', ')}.`);
    return 2;
  }
  const lacking: string[] = [];
  for (const [index, episode] of wanted.entries()) {
    const file = join(home, `${base}-${episode.name}.json`);
    const place = `${index + 1}/${wanted.length} ${episode.name}`;
    if (existsSync(file)) {
      console.log(`${place}: has passed`);
      continue;
    }
    const seed = base + episodes.indexOf(episode);
    console.log(`${place}: seed ${seed}`);
    const startedAt = performance.now();
    const passed = await episode.run(seed, progress);
    if (typeof passed === 'string') {
      lacking.push(`${episode.name}: ${passed}`);
      continue;
    }
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    writeFileSync(file, JSON.stringify({ name: episode.name, seed, ...passed, seconds } satisfies Passed));
    console.log(`  passed in ${seconds} s`);
  }
  return sumUp(base, lacking);
}

/** One line that is written over on a terminal, and lines elsewhere. */
function progress(line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K  ${line}`);
  else console.log(`  ${line}`);
}

function seedOfRun(): number {
  const file = join(home, 'seed');
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : String(Math.floor(Math.random() * 1e9));
  const seed = process.env.SDS_SEED ?? kept;
  writeFileSync(file, seed);
  return Number(seed);
}

function sumUp(base: number, lacking: readonly string[]): number {
  const passed = episodes
    .map(({ name }) => join(home, `${base}-${name}.json`))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Passed);
  const crashes = passed.flatMap(({ crash }) => crash ?? []);
  const zombies = passed.flatMap(({ zombie }) => zombie ?? []);
  const total = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((sum, one) => sum + of(one), 0);
  const places = (list: readonly { at: Record<string, number> }[]): string => {
    const counts: Record<string, number> = {};
    for (const { at } of list)
      for (const [place, count] of Object.entries(at)) counts[place] = (counts[place] ?? 0) + count;
    return Object.entries(counts)
      .sort()
      .map(([place, count]) => `${place} ${count}`)
      .join(', ');
  };
  console.log(`\n${passed.length} of ${episodes.length} episodes have passed under seed ${base}`);
  console.log(`kills    ${total(crashes, (one) => one.kills)}: ${places(crashes)}`);
  console.log(
    `freezes  ${total(zombies, (one) => one.freezes)}: ${places(zombies)}; refused by the fence ${total(zombies, (one) => one.refused)}, exited ${total(zombies, (one) => one.exited)}, started over ${total(zombies, (one) => one.startedOver)}; the one never frozen was fenced ${total(zombies, (one) => one.survivorEnds)} times`,
  );
  const all = [...crashes, ...zombies];
  console.log(
    `compared ${total(all, (one) => one.rows)} rows of ${total(all, (one) => one.records)} records with the naive fold; orphans left and collected ${total(all, (one) => one.orphans)}`,
  );
  console.log(
    `compared ${total(all, (one) => one.revisions)} revisions and ${total(all, (one) => one.archives)} archives of ${total(all, (one) => one.streams)} streams, of ${total(all, (one) => one.observations)} observations, with the naive oracle; ${total(all, (one) => one.billed)} rows of their files billed and downloaded`,
  );
  console.log(
    `compared ${total(all, (one) => one.finalRows)} rows, ${total(all, (one) => one.closingLines)} closing lines and ${total(all, (one) => one.results)} results of ${total(all, (one) => one.finals)} settled games, of which there are ${total(all, (one) => one.versions)} versions of files`,
  );
  for (const { switches } of passed) {
    if (switches !== undefined) console.log(`switches ${describeSwitches(switches)}`);
  }
  for (const { tenants } of passed) {
    if (tenants !== undefined) console.log(`tenants  ${describeTenants(tenants)}`);
  }
  for (const { followers } of passed) {
    if (followers !== undefined) console.log(`followers ${describeFollowers(followers)}`);
  }
  for (const { mixed } of passed) {
    if (mixed !== undefined) console.log(`mixed    ${describeMixed(mixed)}`);
  }
  for (const { page } of passed) {
    if (page !== undefined) console.log(`page     ${describeLivePage(page)}`);
  }
  for (const { requests } of passed) {
    if (requests !== undefined) console.log(`schemathesis ${describeSchemathesis(requests)}`);
  }
  for (const { drill } of passed) {
    if (drill !== undefined) console.log(`drill\n${describeResult(drill)}`);
  }
  for (const line of lacking) console.log(`not run  ${line}`);
  return lacking.length > 0 && process.env.SDS_REQUIRE_SERVICES === '1' ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
