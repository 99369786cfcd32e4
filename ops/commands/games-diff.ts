// `sds games diff`: compares a version of a final file with another version, or with the live log.
import { Command, Option } from 'commander';
import { canonicalCells } from '../../core/msf/canonical-row.ts';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import { diffRows } from '../../core/settlement/diff-rows.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { datasets } from '../../schemas/datasets/registry.ts';
import { CommandFailure, print, type Session, wholeNumber, withCatalogs } from '../session/command.ts';
import { artifactRows } from '../settlement/artifact-rows.ts';

type Options = { dataset?: string; from?: string; to?: string };

const finalDatasets: readonly Dataset[] = datasets.filter(({ kind }) => kind === 'per_game');
const mostVersion = 1_000_000_000;

export function diffCommand(): Command {
  return new Command('diff')
    .description('compare versions of a game’s final files: rows added, removed or changed')
    .argument('<game>', 'public id or UUID')
    .addOption(new Option('--dataset <dataset>', 'only of this dataset').choices(finalDatasets.map(({ name }) => name)))
    .option('--from <version>', 'default: the previous version; for the first version the live log')
    .option('--to <version>', 'default: the newest')
    .option('--json', 'print JSON')
    .action((id: string, options: Options, command: Command) =>
      withCatalogs(async (session) => {
        const game = await session.catalogs.games.find(id);
        if (game === null) throw new CommandFailure('failed', `no game ${id}`);
        const wanted = finalDatasets.filter(({ name }) => options.dataset === undefined || name === options.dataset);
        const data: Compared[] = [];
        const leftOut: LeftOut[] = [];
        for (const dataset of wanted) {
          const planned = await plan(session, game, dataset, options);
          if (planned === null) continue;
          if ('reason' in planned) leftOut.push(planned);
          else data.push(await compare(session, game, dataset, planned));
        }
        if (data.length === 0) throw new CommandFailure('failed', whyNothing(game, leftOut));
        const text = [...data.map(inWords), ...leftOut.map(({ reason }) => `left out: ${reason}`)];
        print(command, { data, left_out: leftOut }, text.join('\n'));
      }),
    );
}

type Compared = {
  dataset: string;
  from: number | null;
  to: number;
  added: JsonRow[];
  removed: JsonRow[];
  changed: { before: JsonRow; after: JsonRow }[];
};
type JsonRow = Readonly<Record<string, unknown>>;

type Game = { uuid: string; gameId: string };

/** `from` null: the live log. */
type Versions = { from: number | null; to: number };

/** A dataset that lacks a version that was asked for. */
type LeftOut = { dataset: string; reason: string };

/** Null for a dataset without files. */
async function plan(
  session: Session,
  { uuid, gameId }: Game,
  { name: dataset }: Dataset,
  options: Options,
): Promise<Versions | LeftOut | null> {
  const versions = (await session.catalogs.artifacts.versions(uuid, dataset)).map(({ version }) => version).reverse();
  const newest = versions.at(-1);
  if (newest === undefined) return null;
  const to = options.to === undefined ? newest : wholeNumber('--to', options.to, 1, mostVersion);
  const from = options.from === undefined ? to - 1 : wholeNumber('--from', options.from, 0, mostVersion);
  const asked = options.from === undefined ? [to] : [from, to];
  const missing = asked.filter((version) => version !== 0 && !versions.includes(version));
  if (missing.length === 0) return { from: from === 0 ? null : from, to };
  const only = `only version${versions.length === 1 ? '' : 's'} ${versions.join(', ')}`;
  return { dataset, reason: `${gameId} has no version ${missing.join(' or ')} of ${dataset}, ${only}` };
}

function whyNothing({ gameId }: Game, leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return `${gameId} has no final file of this`;
  return leftOut.map(({ reason }) => reason).join('; ');
}

async function compare(session: Session, game: Game, dataset: Dataset, { from, to }: Versions): Promise<Compared> {
  const before = await artifactRows(session, game, dataset.name, from);
  const after = await artifactRows(session, game, dataset.name, to);
  const { added, removed, changed } = diffRows(dataset, before, after);
  const asJson = (row: ParquetRow): JsonRow => {
    const cells = canonicalCells(dataset.columns, row);
    return Object.fromEntries(dataset.columns.map(({ name }, index) => [name, cells[index]]));
  };
  return {
    dataset: dataset.name,
    from,
    to,
    added: added.map(asJson),
    removed: removed.map(asJson),
    changed: changed.map((each) => ({ before: asJson(each.before), after: asJson(each.after) })),
  };
}

function inWords({ dataset, from, to, added, removed, changed }: Compared): string {
  const first = dataset === 'sportsbook-lines' ? 'the live log' : 'nothing';
  const head = `${dataset}, ${from === null ? first : `version ${from}`} → version ${to}: ${added.length} added, ${removed.length} removed, ${changed.length} changed`;
  return [head, ...changed.map(({ before, after }) => `  ${changeInWords(before, after)}`)].join('\n');
}

function changeInWords(before: JsonRow, after: JsonRow): string {
  const subject = ['operator', 'selection_id', 'line', 'sequence', 'row_number'].map((name) => after[name] ?? '');
  const differing = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const values = differing.map((name) => `${name} ${JSON.stringify(before[name])} → ${JSON.stringify(after[name])}`);
  return `${subject.filter((part) => part !== '').join(' ')}: ${values.join(', ')}`;
}
