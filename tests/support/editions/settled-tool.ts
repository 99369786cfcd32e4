// The administrator's tool for a running embedded instance, with what tests of settlement push and read.
import assert from 'node:assert/strict';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openDatabase } from '../../../ops/service/drivers.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { EmbeddedTool } from './embedded-tool.ts';
import { appliedMsf } from './msf-client.ts';
import { boxscore, eventGame } from './staged-bodies.ts';
import type { StagedGame } from './staged-game.ts';

export type Audited = { action: string; subject: string; detail: Record<string, unknown> };

export class SettledTool extends EmbeddedTool {
  constructor(settings: Readonly<Record<string, string>> = {}) {
    super('settled-tool', settings);
  }

  /** Pushes a delta of operator X, observed at `at`; answers the codes of its refusals. */
  async quote(game: StagedGame, at: string, quotes: readonly object[]): Promise<string[]> {
    const events = [{ kind: 'delta', operator: 'X', game: eventGame(game, game.start), quotes }];
    const rejected = await this.#rejectedOf(game.source, 'quotes', { events }, { 'x-observed-at': at });
    return rejected.map(({ code }) => code);
  }

  /** Pushes a box score received at `at`. */
  async pushBoxscore(game: StagedGame, at: string, statuses: Record<string, unknown>, scoring = {}): Promise<void> {
    const body = { lastUpdatedOn: at, ...boxscore(game, statuses, scoring) };
    const route = `msf/${game.league.toLowerCase()}/2025-2026-regular/boxscore?game=${game.msfId}`;
    assert.deepEqual(
      await this.#rejectedOf('msf', route, body, { 'x-observed-at': at, 'x-request-started-at': at }),
      [],
    );
  }

  async #rejectedOf(source: string, route: string, body: object, headers: Record<string, string>) {
    const reply = await this.push(source, route, body, headers);
    const rejected = (reply.body.rejected ?? []) as { code: string }[];
    if (reply.status === 400) return rejected;
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    const { ingest_url: ingestUrl, feed_key: key } = this.ready;
    const { records } = await appliedMsf({ ingestUrl }, key, String(reply.body.receipt));
    return [...rejected, ...records.flatMap(({ refusals }) => refusals)];
  }

  /** The audit rows of a game, the oldest first. */
  async audited(game: StagedGame): Promise<Audited[]> {
    const database = await openDatabase(readSettings(this.environment), silentLog);
    try {
      const { rows } = await database.sql.query(
        'select action, subject, detail from audit where subject = $1 order by id',
        [game.id],
      );
      return rows as unknown as Audited[];
    } finally {
      await database.close();
    }
  }
}
