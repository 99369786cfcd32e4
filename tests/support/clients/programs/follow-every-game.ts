// Prints every row of every game of a service until all games are final: follow-every-game.ts URL KEY
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../../../clients/typescript/src/client.ts';

const [, , baseUrl = '', apiKey = ''] = process.argv;
const sds = new Client({ baseUrl, apiKey });
const isOver = new Map<string, boolean>();
async function follow(game: string): Promise<void> {
  isOver.set(game, false);
  for await (const row of sds.follow(game)) console.log(JSON.stringify({ game, row }));
  isOver.set(game, true);
}
do {
  for (const { id } of await sds.games()) if (!isOver.has(id)) void follow(id);
  await sleep(1_000);
} while (isOver.size === 0 || [...isOver.values()].includes(false));
