// One running service on which the cases of the settlement vectors play, each with a game of its own: the two teams
// meet in no other case, the quotes have a source of their own, and the game's MSF id is its number.

import assert from 'node:assert/strict';
import type { CatalogGame } from '../../../core/ports/catalog/games.ts';
import { feedScopes } from '../../../core/ports/catalog/keys.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { timeOf } from '../folds/settlement-log.ts';
import { send } from '../http/gateway-http.ts';
import { until } from '../services/until.ts';
import type { Edition } from './edition.ts';
import { everythingFolded } from './everything-folded.ts';
import type { StagedGame } from './staged-game.ts';

export type Receipt = {
  refused: readonly string[];
  revisions: readonly { dataset: string; epoch: string; revision: number }[];
};

const patience = { everyMs: 20 };

export class SettlementStage {
  readonly edition: Edition;
  readonly #key: string;

  private constructor(edition: Edition, key: string) {
    this.edition = edition;
    this.#key = key;
  }

  static async open(edition: Edition): Promise<SettlementStage> {
    return new SettlementStage(edition, await edition.feedKey(feedScopes));
  }

  /** Pushes to a route of a source; answers the receipt once everything is folded. */
  async push(source: string, route: string, body: unknown, headers: Record<string, string> = {}): Promise<Receipt> {
    const reply = await this.#send(source, route, body, headers);
    const rejected = ((reply.body.rejected ?? []) as { code: string }[]).map(({ code }) => code);
    if (reply.status === 400) return { refused: rejected, revisions: [] };
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    let records: { revisions: Receipt['revisions']; refusals: { code: string }[] }[] = [];
    await until(
      `the push ${reply.body.receipt} is applied`,
      async () => {
        const receipt = await fetch(`${this.edition.ingestUrl}/v1/receipts/${reply.body.receipt}`, {
          headers: { authorization: `Bearer ${this.#key}` },
        });
        const answer = (await receipt.json()) as { state: string; records: typeof records };
        records = answer.records;
        return answer.state === 'applied';
      },
      patience,
    );
    const refusals = records.flatMap((record) => record.refusals.map(({ code }) => code));
    return { refused: [...rejected, ...refusals], revisions: records.flatMap(({ revisions }) => revisions) };
  }

  /** Pushes an MSF body received at `at`; its content is stamped with `updatedAt`. */
  async pushMsf(game: StagedGame, feed: string, content: object, at: string, updatedAt = at): Promise<Receipt> {
    const body = { lastUpdatedOn: updatedAt, ...content };
    const route = `msf/${game.league.toLowerCase()}/2025-2026-regular/${feed}?game=${game.msfId}`;
    const receipt = await this.push('msf', route, body, { 'x-observed-at': at, 'x-request-started-at': at });
    assert.deepEqual(receipt.refused, [], `${feed} of ${game.id}`);
    await this.folded();
    return receipt;
  }

  /** Ticks the games of a source. */
  async tick(source: string, at: string): Promise<void> {
    const reply = await this.#send(source, 'ticks', { at }, {});
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    await this.folded();
  }

  /** Writes a record of the game to the topic, without the gateway. */
  async direct(game: StagedGame, says: Partial<QuotesRecord>): Promise<void> {
    const { uuid, gameId, league } = await this.find(game);
    const frame = blankRecord({ uuid, gameId, league }, 'service', timeOf('2026-01-01T00:00:00Z'));
    await this.edition.drivers.broker.produce(topics.quotes, [{ key: uuid, value: { ...frame, ...says } }]);
    await this.folded();
  }

  async find({ id }: StagedGame): Promise<CatalogGame> {
    const found = await this.edition.drivers.catalogs.games.find(id);
    assert.ok(found !== null, `no game ${id}`);
    return found;
  }

  async isClosed(game: StagedGame): Promise<boolean> {
    const { uuid } = await this.find(game);
    return ((await this.edition.drivers.catalogs.settlement.state(uuid))?.closedAt ?? null) !== null;
  }

  /** Closes the game as `sds games settle` does. */
  settle(game: StagedGame): Promise<void> {
    return this.direct(game, { settle: { actor: 'a test' } });
  }

  /** Waits until the files of a closed game match its evidence. */
  async built(game: StagedGame): Promise<void> {
    const { uuid } = await this.find(game);
    const { settlement } = this.edition.drivers.catalogs;
    await until(`${game.id} is settled`, async () => (await settlement.state(uuid))?.built === true, patience);
    await this.edition.apiCaughtUp();
  }

  /** Waits until everything logged so far is folded. */
  folded(): Promise<void> {
    return everythingFolded(this.edition);
  }

  #send(source: string, route: string, body: unknown, headers: Record<string, string>) {
    return send(`${this.edition.ingestUrl}/v1/sources/${source}/${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }
}

/** A time of a case plus `micros`. */
export function later(time: string, micros: number): string {
  return formatMicros(timeOf(time) + micros);
}
