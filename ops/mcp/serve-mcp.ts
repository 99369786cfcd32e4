// Serves the tools over the Model Context Protocol on standard input and output. Only the protocol may write to standard output.
import type { Readable, Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Reader } from './reader.ts';
import { answerOf, tools } from './tools.ts';

const instructions =
  'Sports odds: quotes of sportsbooks and results of games. Start with list_games; every other tool takes a game_id. Reads are charged in rows (rows_charged): ask narrowly. Prices and lines are exact texts; provisional answers may still change.';

/** Serves until the input ends. */
export async function serveMcp(reader: Reader, version: string, input: Readable, output: Writable): Promise<void> {
  const ended = new Promise<void>((resolve) => input.once('end', resolve).once('close', resolve));
  const handle = serveStdio(
    () => {
      const server = new McpServer({ name: 'sports-data-service', version }, { instructions });
      for (const tool of tools) {
        const { name, title, description, input: inputSchema } = tool;
        const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
        server.registerTool(name, { title, description, inputSchema, annotations }, async (given) => {
          const { text, isError } = answerOf(tool, await tool.call(reader, given));
          return { content: [{ type: 'text', text }], isError };
        });
      }
      return server;
    },
    { transport: new StdioServerTransport(input, output) },
  );
  await ended;
  await handle.close();
}
