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
        const data = [];
        for (const dataset of wanted) data.push(...(await compare(session, game, dataset, options)));
        if (data.length === 0) throw new CommandFailure('failed', `${game.gameId} has no final file of this`);
        print(command, { data }, data.map(inWords).join('\n'));
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

/** Returns nothing for a dataset without files. */
async function compare(
  session: Session,
  game: { uuid: string; gameId: string },
  dataset: Dataset,
  options: Options,
): Promise<Compared[]> {
  const newest = await session.catalogs.artifacts.artifact(game.uuid, dataset.name, null);
  if (newest === null) return [];
  const to = options.to === undefined ? newest.version : wholeNumber('--to', options.to, 1, mostVersion);
  const from = options.from === undefined ? to - 1 : wholeNumber('--from', options.from, 0, mostVersion);
  const version = from === 0 ? null : from;
  const before = await artifactRows(session, game, dataset.name, version);
  const after = await artifactRows(session, game, dataset.name, to);
  const { added, removed, changed } = diffRows(dataset, before, after);
  const asJson = (row: ParquetRow): JsonRow => {
    const cells = canonicalCells(dataset.columns, row);
    return Object.fromEntries(dataset.columns.map(({ name }, index) => [name, cells[index]]));
  };
  return [
    {
      dataset: dataset.name,
      from: version,
      to,
      added: added.map(asJson),
      removed: removed.map(asJson),
      changed: changed.map((each) => ({ before: asJson(each.before), after: asJson(each.after) })),
    },
  ];
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
