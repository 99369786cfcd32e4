// A MySportsFeeds game as the log delivers it to the revision projector: a record a second with what one of its feeds
// says.

import type { JsonObject } from '../../core/json/value.ts';
import { gameUuid } from '../../core/msf/ids.ts';
import type { MsfFeed, Scope } from '../../core/msf/types.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import { microsPerSecond } from '../../core/units.ts';
import { observationRecord } from '../support/folds/msf-log.ts';

const startOfLog = 1_792_540_800_000_000;

export class ObservedGame {
  readonly id: number;
  readonly scope: Scope;
  #records = 0;

  constructor(id: number, league: 'NBA' | 'NFL' = 'NBA') {
    this.id = id;
    this.scope = { kind: 'game', uuid: gameUuid(league, id), id: `${league}_BOS_CLE_20261020_${id + 2}`, league };
  }

  /** The next record: what `feed` says now. */
  observe(feed: MsfFeed, element: JsonObject): DeliveredRecord {
    const at = startOfLog + this.#records * microsPerSecond;
    this.#records += 1;
    const value = observationRecord(this.scope, { feed, requested: at, at, body: element }, this.id, element);
    const bytes = new Uint8Array();
    return { offset: 0, timestamp: at, key: this.scope.uuid, headers: {}, value, bytes, undecodable: null };
  }
}

/** The record's element as text. */
export function elementText({ value }: DeliveredRecord): string {
  return (value as { observation: { element: string } }).observation.element;
}
