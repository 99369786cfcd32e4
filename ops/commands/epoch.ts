// `sds epoch`: starts new epochs of streams from the observations that are kept (docs/revisions.md#epochs).
import { Command, Option } from 'commander';
import { type MsfDataset, msfDatasets } from '../../core/msf/types.ts';
import { type PlannedReset, planResets, type ResetScope } from '../epoch/plan-resets.ts';
import { type DoneReset, nameOf, needProjectors, runResets } from '../epoch/run-resets.ts';
import { CommandFailure, confirm, leagueOf, print, type Session, withCatalogs } from '../session/command.ts';
import { wholeLog } from '../session/whole-log.ts';

type Options = { dataset?: MsfDataset[]; scope?: string[]; league?: string; yes?: true };

export function epochCommand(): Command {
  const epoch = new Command('epoch').description('epochs of the MSF streams');
  epoch
    .command('reset')
    .description('start new epochs of streams, rebuilt from the observations that are kept')
    .option('--scope <scope...>', 'games by their ids, or leagues by their codes for what they have themselves')
    .addOption(new Option('--league <league>', 'the league itself and all of its games').conflicts('scope'))
    .addOption(new Option('--dataset <dataset...>', 'only these datasets; left out: all').choices(msfDatasets))
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((options: Options, command: Command) => {
      const asked = askedOf(options);
      return withCatalogs((session) => reset(session, asked, options, command));
    });
  return epoch;
}

/** @throws CommandFailure usage */
function askedOf({ scope, league, dataset }: Options): ResetScope {
  if (scope === undefined && league === undefined && dataset === undefined)
    throw new CommandFailure('usage', 'name streams: by --scope or --league, by --dataset, or by both');
  return {
    scopes: scope ?? [],
    league: league === undefined ? null : leagueOf(league),
    datasets: dataset ?? [],
  };
}

async function reset(session: Session, asked: ResetScope, { yes }: Options, command: Command): Promise<void> {
  const planned = await planResets({ catalogs: session.catalogs, broker: await wholeLog(session) }, asked);
  await confirm(planText(planned), wordFor(asked, planned), yes === true);
  const isOne = asked.scopes.length === 1 && asked.datasets.length === 1;
  const [first] = planned;
  await needProjectors(session, isOne && first !== undefined ? nameOf(first.stream) : `${planned.length} streams`);
  const { done, failure } = await runResets(session, planned);
  const text = done.flatMap(textOf).join('\n');
  if (!isOne) print(command, { streams: done }, `${text}\n${done.length} of ${planned.length} streams are reset`);
  else if (done[0] !== undefined) print(command, done[0], text);
  if (failure !== null) throw failure;
}

/** The word to type instead of giving `--yes`. */
function wordFor({ scopes, league }: ResetScope, planned: readonly PlannedReset[]): string {
  if (scopes.length === 1) return planned[0]?.stream.scopeId ?? '';
  return league ?? `${planned.length} streams`;
}

function planText(planned: readonly PlannedReset[]): string {
  const [only] = planned;
  const after = 'Archives stay; cursors of the old epochs are answered stream-reset';
  if (planned.length === 1 && only !== undefined) {
    const { stream } = only;
    const before = stream.epochs.find((each) => each.current);
    const ends = `epoch ${before?.epoch ?? 'none'} with ${before?.head ?? 0} revisions ends`;
    return `${nameOf(stream)}: ${ends}; a new one is rebuilt from ${keptText([only])}. ${after}`;
  }
  const scopes = new Map(planned.map((each) => [each.stream.scopeUuid, each]));
  const named = planned.slice(0, mostNamed).map(({ stream }) => nameOf(stream));
  const more = planned.length > mostNamed ? ` and ${planned.length - mostNamed} more` : '';
  const ends = `the epochs of ${planned.length} streams of ${scopes.size} ${scopes.size === 1 ? 'scope' : 'scopes'} end (${named.join(', ')}${more})`;
  return `${ends}; new ones are rebuilt from ${keptText([...scopes.values()])} of these scopes. ${after}`;
}

const mostNamed = 8;

function keptText(scopes: readonly PlannedReset[]): string {
  const kept = scopes.reduce((sum, each) => sum + each.kept.kept, 0);
  const unreadable = scopes.reduce((sum, each) => sum + each.kept.unreadable, 0);
  return `${kept} kept observations${unreadable === 0 ? '' : `, without ${unreadable} records that cannot be read`}`;
}

function textOf({ scope, dataset, epoch, observations, gaps }: DoneReset): string[] {
  const now = epoch === null ? 'no new epoch is published yet' : `epoch ${epoch} is current`;
  return [`${scope} ${dataset}: ${now}`, `${observations} observations folded again`, ...gaps];
}
