// `sds mcp`: odds and results for a model, as an MCP server on standard input and output that reads the API like any client.
import { Command } from 'commander';
import { openReader } from '../mcp/reader.ts';
import { serveMcp } from '../mcp/serve-mcp.ts';
import { versionOfRelease } from '../service/version-of-release.ts';
import { keyInFile } from '../session/api-key.ts';
import { CommandFailure } from '../session/command.ts';

type Options = { url: string; keyFile: string };

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'serve odds and results to a model over the Model Context Protocol (stdio); read-only, charged like any reader',
    )
    .option('--url <url>', 'the API', 'http://127.0.0.1:8080')
    .requiredOption('--key-file <file>', 'a file with the API key that reads')
    .action(async ({ url, keyFile }: Options) => {
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
        throw new CommandFailure('usage', `--url is ${url}, and must be like http://127.0.0.1:8080`);
      const reader = openReader(url.replace(/\/{1,64}$/, ''), keyInFile(keyFile));
      await serveMcp(reader, versionOfRelease(), process.stdin, process.stdout);
    });
}
