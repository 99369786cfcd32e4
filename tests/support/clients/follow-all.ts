// Follows every game of a service with the TypeScript client, from the first row.
//   follow-all.ts API_URL API_KEY ROWS      ends after ROWS rows; prints what it saw as JSON
import { Client, Reset } from '../../../clients/typescript/src/client.ts';

const [baseUrl = '', apiKey = '', wanted = ''] = process.argv.slice(2);
const sds = new Client({ baseUrl, apiKey, poll: 0.1 });
const changes: Record<string, number> = {};
const games: Record<string, number> = {};
const followed: AsyncIterator<unknown>[] = [];
let rows = 0;

async function follow(game: string): Promise<void> {
  const follower = sds.follow(game);
  followed.push(follower);
  for await (const row of follower) {
    if (row instanceof Reset) throw new Error(`${game}: ${row.reason}`);
    changes[String(row.change)] = (changes[String(row.change)] ?? 0) + 1;
    games[game] = (games[game] ?? 0) + 1;
    rows += 1;
    if (rows === Number(wanted)) for (const each of followed) void each.return?.();
  }
}

const following = new Map<string, Promise<void>>();
while (rows < Number(wanted)) {
  for (const { id } of await sds.games()) if (!following.has(id)) following.set(id, follow(id));
  // An error of a follower ends the program.
  await Promise.race([
    new Promise((resolve) => setTimeout(resolve, 100)),
    ...[...following.values()].map((each) => each.then(() => new Promise(() => {}))),
  ]);
}
await Promise.all(following.values());
process.stdout.write(`${JSON.stringify({ rows, changes, games })}\n`);
