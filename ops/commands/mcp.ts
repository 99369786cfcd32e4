// `sds mcp`: odds and results for a model, as an MCP server on standard input and output that reads the API like any client.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { checkKey } from '../../core/access/key-format.ts';
import { versionOfRelease } from '../service/version-of-release.ts';
import { CommandFailure } from '../session/command.ts';

type Options = { url: string; keyFile: string };

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'serve odds and results to a model over the Model Context Protocol (stdio); read-only, billed like any reader',
    )
    .option('--url <url>', 'the API', 'http://127.0.0.1:8080')
    .requiredOption('--key-file <file>', 'a file with the API key that reads')
    .action(async ({ url, keyFile }: Options) => {
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
        throw new CommandFailure('usage', `--url is ${url}, and must be like http://127.0.0.1:8080`);
      // Loaded here: no other command needs the library, which would make each of them start later.
      const [{ openReader }, { serveMcp }] = await Promise.all([
        import('../mcp/reader.ts'),
        import('../mcp/serve-mcp.ts'),
      ]);
      const reader = openReader(url.replace(/\/{1,64}$/, ''), keyIn(keyFile));
      await serveMcp(reader, versionOfRelease(), process.stdin, process.stdout);
    });
}

/** @throws CommandFailure where the file has no API key; the message does not show what it has */
function keyIn(file: string): string {
  let key: string;
  try {
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandFailure('failed', `--key-file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (checkKey(key) !== 'live') throw new CommandFailure('usage', `--key-file ${file} holds no API key (svc_live_…)`);
  return key;
}
