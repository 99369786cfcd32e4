// Requests that Schemathesis generates from the service's OpenAPI description, judged by all its checks and two of
// ours: many valid ones, then some invalid ones. Half of the answers must be good (in a sample, half of those to valid
// requests), and every operation must give a good one.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getJson } from '../editions/published-game.ts';
import { openWorld, type World } from '../schemathesis/world.ts';
import { services } from '../services/services.ts';

const folder = fileURLToPath(new URL('../schemathesis/', import.meta.url));

export type SchemathesisFigures = {
  requests: number;
  /** Answers that are 2xx or 304. */
  good: number;
  /** Of the run with valid requests only. */
  valid: { requests: number; good: number };
  operations: number;
  /** Operations that never answered 2xx. */
  barren: string[];
  statuses: Record<string, number>;
};

export type SchemathesisOptions = {
  seed: number;
  /** How many valid and invalid requests each operation gets. */
  valid: number;
  wrong: number;
  /** Selects paths of the description; all of them by default. */
  takes?(path: string, place: number): boolean;
  say(line: string): void;
};

/** Runs the campaign. A string says what is missing. @throws with Schemathesis's output if it found something */
export async function schemathesisCampaign(options: SchemathesisOptions): Promise<SchemathesisFigures | string> {
  const [tool, postgres] = [await services.schemathesis(), await services.postgres()];
  if (tool.skip !== false) return tool.skip;
  if (postgres.skip !== false) return postgres.skip;
  const database = await postgres.createMigratedDatabase();
  const scratch = mkdtempSync(join(tmpdir(), 'sds-schemathesis-'));
  try {
    await using world = await openWorld(database.url);
    const all = new Map<string, Map<string, number>>();
    const valid = { requests: 0, good: 0 };
    const paths = options.takes === undefined ? [] : (await describedPaths(world)).filter(options.takes);
    for (const [mode, examples] of [
      ['positive', options.valid],
      ['negative', options.wrong],
    ] as const) {
      options.say(`${mode} requests, ${examples} per operation`);
      const counted = await run(tool.path, world, scratch, mode, examples, options.seed, paths);
      for (const [operation, statuses] of Object.entries(counted)) {
        const sums = all.get(operation) ?? new Map<string, number>();
        for (const [status, count] of Object.entries(statuses)) {
          sums.set(status, (sums.get(status) ?? 0) + count);
          if (mode === 'positive') valid.requests += count;
          if (mode === 'positive' && isGood(status)) valid.good += count;
        }
        all.set(operation, sums);
      }
    }
    return { ...figuresOf(all), valid };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    await database.drop();
  }
}

type Counted = Record<string, Record<string, number>>;

async function run(
  python: string,
  world: World,
  scratch: string,
  mode: 'positive' | 'negative',
  examples: number,
  seed: number,
  paths: readonly string[],
): Promise<Counted> {
  const { edition, values } = world;
  const counts = join(scratch, `${mode}.json`);
  const child = spawn(
    python,
    [
      ...['-m', 'schemathesis.cli', '--no-color', '--config-file', join(folder, 'schemathesis.toml')],
      ...['run', `${edition.apiUrl}/v1/openapi.json`, '--url', edition.apiUrl],
      ...['--header', `Authorization: Bearer ${edition.apiKey}`, '--checks', 'all', '--mode', mode],
      ...paths.flatMap((path) => ['--include-path', path]),
      // A stream of events stays open for minutes.
      ...['--exclude-path', '/v1/events'],
      ...['--phases', 'examples,coverage,fuzzing', '--max-examples', String(examples), '--seed', String(seed)],
      // Its only input is a request id, which is never refused.
      ...(mode === 'negative' ? ['--exclude-path', '/v1/me'] : []),
      ...['--suppress-health-check', 'all', '--continue-on-failure', '--generation-database', 'none'],
    ],
    {
      cwd: scratch,
      env: {
        ...process.env,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: 'hooks',
        PYTHONPATH: folder,
        SDS_WORLD: JSON.stringify(values),
        SDS_SEED: String(seed),
        SDS_COUNTS: counts,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`schemathesis, ${mode}, ended with ${code}:\n${said.slice(-20_000)}`);
  return JSON.parse(readFileSync(counts, 'utf8')) as Counted;
}

async function describedPaths({ edition }: World): Promise<string[]> {
  const { paths } = (await getJson(edition, '/v1/openapi.json')) as { paths: Record<string, unknown> };
  return Object.keys(paths).filter((path) => path !== '/v1/events');
}

const isGood = (status: string): boolean => status.startsWith('2') || status === '304';

function figuresOf(all: ReadonlyMap<string, ReadonlyMap<string, number>>): Omit<SchemathesisFigures, 'valid'> {
  const figures: Omit<SchemathesisFigures, 'valid'> = {
    requests: 0,
    good: 0,
    operations: all.size,
    barren: [],
    statuses: {},
  };
  for (const [operation, statuses] of all) {
    if (![...statuses.keys()].some((status) => status.startsWith('2')))
      figures.barren.push(`${operation}: ${[...statuses].join(' ')}`);
    for (const [status, count] of statuses) {
      figures.requests += count;
      if (isGood(status)) figures.good += count;
      figures.statuses[status] = (figures.statuses[status] ?? 0) + count;
    }
  }
  return figures;
}

/** A campaign's figures in one line. */
export function describeSchemathesis({ requests, good, operations, statuses }: SchemathesisFigures): string {
  const each = Object.entries(statuses).map(([status, count]) => `${status} ${count}`);
  return `${requests} requests of ${operations} operations, ${Math.round((100 * good) / requests)} % good: ${each.join(', ')}`;
}
