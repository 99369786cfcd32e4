// Runs every command of `sds` that the pages for the night tell a person to type, on an embedded service while it runs and, of a restored
// copy, elsewhere. That they exist with their options in both editions is checked by runbooks.unit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { commandsIn } from '../../support/book/sds-commands.ts';
import { EmbeddedTool } from '../../support/editions/embedded-tool.ts';
import { manifestOf } from '../../support/editions/published-game.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { until } from '../../support/services/until.ts';

const root = new URL('../../../', import.meta.url);
const pages = ['docs/runbooks.md', 'docs/deploy.md', 'docs/backup.md'];

const commands = [
  ...new Set(
    pages.flatMap((page) =>
      commandsIn(readFileSync(new URL(page, root), 'utf8')).map((words) =>
        words.map((word) => (word.startsWith('/mnt/') ? 'FOLDER' : word)).join(' '),
      ),
    ),
  ),
];

const game = 'MLB_BOS_NYY_20400805';
const tool = new EmbeddedTool('page-commands', { SDS_RAW_ARCHIVE: 'on' });

/** What stands for the words in capitals. */
let names: Readonly<Record<string, string>> = {};

describe('the commands of the pages for the night', () => {
  beforeAll(async () => {
    await tool.start();
    const { ingest_url: gateway, feed_key: key } = tool.ready;
    await pushMoneyline({ gateway, key }, -110);
    await until('the game is served', async () => (await manifestOf(tool.api, game).catch(() => null)) !== null);
    for (const source of ['unknown', 'unwanted']) {
      const quotes = [{ market: 'moneyline', selection: 'home', price: { american: -110 } }];
      const event = { kind: 'image', operator: 'X', game: { game_id: 'NBA_BOS_CLE_20260109' }, quotes };
      assert.equal((await tool.push(source, 'quotes', { events: [event] })).status, 400);
    }
    const minted = await tool.json('feed-keys', 'mint', '--source', 'harmful', '--scope', 'push');
    const letters = (await tool.json('dlq', 'list', '--source', 'unwanted')).data as { id: string; code: string }[];
    const [{ id, code } = { id: '', code: '' }] = letters;
    names = {
      GAME: game,
      FOLDER: join(tool.dir, 'backup'),
      KEY_ID: String(minted.feed_key_id),
      ID: id,
      S: 'unknown',
      C: code,
    };
  });
  afterAll(() => tool.stop());

  // A folder is restored once it is there.
  const inOrder = commands.toSorted((a, b) => Number(a.startsWith('restore')) - Number(b.startsWith('restore')));
  for (const command of inOrder)
    it(`sds ${command}`, async () => {
      const args = command.split(' ').map((word) => (/^[A-Z_]+$/.test(word) ? (names[word] ?? word) : word));
      const elsewhere = command.startsWith('restore') ? { SDS_DATA_DIR: join(tool.dir, 'elsewhere') } : {};
      const ran = await tool.sdsWith(elsewhere, args);
      assert.equal(ran.code, 0, `${ran.out}\n${ran.err}`);
    });

  it('are more than a few', () => {
    assert.ok(commands.length >= 15, commands.join('\n'));
  });
});
