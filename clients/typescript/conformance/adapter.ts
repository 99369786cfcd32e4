// The adapter of the TypeScript client for the conformance suite. With a word it drives the package that is installed under that folder.
import { createInterface } from 'node:readline';
import type { Client, Reset, Revision, Row } from '../src/client.ts';

const [installed] = process.argv.slice(2);
const sds = (await import(
  installed === undefined ? '../src/client.ts' : `${installed}/client.js`
)) as typeof import('../src/client.ts');
const node = (await import(
  installed === undefined ? '../src/node.ts' : `${installed}/node.js`
)) as typeof import('../src/node.ts');

type Command = { do: string; [member: string]: unknown };
type Item = Row | Reset | Revision;

let client: Client;
let rows: ReturnType<Client['follow']>;

function itemInJson(item: Item): object {
  if (item instanceof sds.Reset) return { reset: true };
  if (!('record' in item) || typeof item.record !== 'object') return { row: item };
  const { record, rows: state } = item as Revision;
  return { revision: { revision: record.revision, rows: state.length, digest: record.snapshot_digest } };
}

function errorName(error: unknown): string {
  if (error instanceof sds.Problem) return error.type;
  if (error instanceof sds.ForeignCursor) return 'foreign-cursor';
  if (error instanceof sds.NotAsPublished) return 'not-as-published';
  if (error instanceof sds.Unreachable) return 'unreachable';
  if (error instanceof RangeError) return 'unusable-setting';
  throw error;
}

/** Whether `source` ended before `count` items. */
async function take(source: AsyncIterator<Item, void>, count: number, items: object[]): Promise<boolean> {
  while (items.length < count) {
    const { value, done } = await source.next();
    if (done === true) return true;
    items.push(itemInJson(value));
  }
  return false;
}

async function run(command: Command, items: object[]): Promise<object> {
  const text = (name: string): string => String(command[name]);
  switch (command.do) {
    case 'open': {
      const { base_url: baseUrl, api_key: apiKey, most_poll: mostPoll, at_once: atOnce, cache, ...more } = command;
      const options = { ...more, baseUrl, apiKey, mostPoll, ...(atOnce === undefined ? {} : { atOnce }) };
      const kept = typeof cache === 'string' ? { cache: node.fileCache(cache, String(baseUrl)) } : {};
      client = new sds.Client({ ...options, ...kept } as unknown as ConstructorParameters<typeof Client>[0]);
      return { ok: true };
    }
    case 'follow':
      rows = client.follow(text('game'), {
        since: command.since as string | null,
        store: node.fileStore(text('store')),
      });
      return { ok: true };
    case 'take': {
      const ended = await take(rows, Number(command.count), items);
      return { items, ended };
    }
    case 'cursor':
      return { cursor: rows.cursor };
    case 'close':
      await rows.return();
      return { ok: true };
    case 'board':
      return { rows: await client.board(text('game'), command.operators as string[] | undefined) };
    case 'odds': {
      const { game, do: _, ...options } = command;
      return { odds: await client.odds(String(game), options) };
    }
    case 'final':
      return { rows: await client.final(text('game'), text('dataset'), command.version as number | undefined) };
    case 'history':
      return client.history(text('league'), text('from'), text('to'), text('dataset'));
    case 'revisions': {
      const { subject, dataset, do: _, ...options } = command;
      await take(client.revisions(String(subject), String(dataset), options), 1_000, items);
      return { items };
    }
    default:
      throw new Error(`no command ${command.do}`);
  }
}

for await (const line of createInterface(process.stdin)) {
  const items: object[] = [];
  const answer = await run(JSON.parse(line) as Command, items).catch((error: unknown) => ({
    error: errorName(error),
    items,
  }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
