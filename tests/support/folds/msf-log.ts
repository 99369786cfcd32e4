// The MSF half without log, catalog and files: bodies are split as the gateway splits them, their records are folded
// one after another, and the effects are kept. Every state may be saved and loaded after each record.

import { publicIdBase } from '../../../core/games/public-id.ts';
import type { JsonObject, JsonValue } from '../../../core/json/value.ts';
import type { MsfGame } from '../../../core/msf/bodies/game-object.ts';
import { gameUuid, leagueUuid } from '../../../core/msf/ids.ts';
import { applyObservation } from '../../../core/msf/streams/apply.ts';
import type { ScopeEffects } from '../../../core/msf/streams/effects.ts';
import { frameRefusal, scopeOf } from '../../../core/msf/streams/frame.ts';
import { loadScope, saveScope } from '../../../core/msf/streams/saved-scope.ts';
import { newScope, type ScopeState } from '../../../core/msf/streams/scope-state.ts';
import type { CutRevision, MsfDataset, MsfFeed, Scope } from '../../../core/msf/types.ts';
import type { Micros } from '../../../core/units.ts';
import type { MsfObservation, ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { splitBody } from '../builders/in-one-go.ts';

export type MsfPush = {
  league: League;
  feed: MsfFeed;
  game?: string | null;
  requested: Micros | null;
  /** The broker's time of the records. */
  at: Micros;
  observedAt?: Micros | null;
  body: JsonValue;
};

/** A record and its effects. */
export type Folded = { scope: Scope; record: ObservationsRecord; effects: ScopeEffects };

export class PureMsf {
  readonly scopes = new Map<string, ScopeState>();
  /** All revisions, by `<dataset> <scope uuid>`. */
  readonly revisions = new Map<string, CutRevision[]>();
  readonly #checkpoints: boolean;
  #offset = 0;

  constructor({ checkpoints = false } = {}) {
    this.#checkpoints = checkpoints;
  }

  /** Splits a body and folds its records. */
  push(push: MsfPush): { folded: Folded[]; refusals: readonly { pointer: string }[] } {
    const split = splitBody({ league: push.league, feed: push.feed, game: push.game ?? null, body: push.body });
    const folded = split.observations.map(({ msfGameId, game, element }) => {
      const scope = scopeFor(push.league, msfGameId, game, this.scopes);
      return this.fold(observationRecord(scope, push, msfGameId, element), push.at);
    });
    return { folded, refusals: split.refusals };
  }

  fold(record: ObservationsRecord, at: Micros, attached: Uint8Array | null = null): Folded {
    const wrong = frameRefusal(record.scope_uuid, record, at);
    if (wrong !== null) throw new Error(`${wrong.pointer}: ${wrong.detail}`);
    const scope = scopeOf(record)!;
    const state = this.scopes.get(scope.uuid) ?? newScope(scope);
    const position = { partition: 0, offset: this.#offset, timestamp: at };
    this.#offset += 1;
    const effects = applyObservation(state, record, position, attached);
    this.scopes.set(scope.uuid, this.#checkpoints ? savedAndLoaded(state) : state);
    for (const cut of effects.revisions) {
      const name = `${cut.dataset} ${scope.uuid}`;
      const known = this.revisions.get(name);
      if (known === undefined) this.revisions.set(name, [cut]);
      else known.push(cut);
    }
    return { scope, record, effects };
  }

  tick(scopeUuid: string, at: Micros): Folded {
    const { scope } = this.scopes.get(scopeUuid)!;
    return this.fold({ ...frameOf(scope), source: '', tick: { at } }, at);
  }

  revisionsOf(dataset: MsfDataset, scopeUuid: string): readonly CutRevision[] {
    return this.revisions.get(`${dataset} ${scopeUuid}`) ?? [];
  }
}

/** The state as a restart finds it. */
export function savedAndLoaded(state: ScopeState): ScopeState {
  return loadScope(JSON.parse(JSON.stringify(saveScope(state))));
}

export function observationRecord(
  scope: Scope,
  push: Pick<MsfPush, 'feed' | 'requested' | 'at' | 'observedAt' | 'body'>,
  msfGameId: number | null,
  element: JsonObject,
): ObservationsRecord {
  const stamp = (push.body as { lastUpdatedOn?: unknown }).lastUpdatedOn;
  const observation: MsfObservation = {
    season: 'current',
    feed: push.feed,
    msf_game_id: msfGameId,
    observed_at: push.observedAt ?? null,
    request_started_at: push.requested,
    last_updated_on: typeof stamp === 'string' ? stamp : null,
    element: JSON.stringify(element),
    held: null,
    rebuild: null,
  };
  return { ...frameOf(scope), received_at: push.at, observation };
}

/** A record of a scope without content. */
export function frameOf(scope: Scope): ObservationsRecord {
  return {
    scope_uuid: scope.uuid,
    scope_id: scope.id,
    league: scope.league,
    source: 'msf',
    received_at: null,
    push: null,
    push_index: null,
    observation: null,
    reset: null,
    tick: null,
    status: null,
  };
}

/** The game is minted by the first body that names both teams. */
function scopeFor(
  league: League,
  msfGameId: number | null,
  game: MsfGame | null,
  known: ReadonlyMap<string, ScopeState>,
): Scope {
  if (msfGameId === null) return { kind: 'league', uuid: leagueUuid(league), id: league, league };
  const uuid = gameUuid(league, msfGameId);
  const found = known.get(uuid);
  if (found !== undefined) return found.scope;
  const [away, home] = [game?.away.abbreviation, game?.home.abbreviation];
  const isNamed = game !== null && away != null && home != null;
  return { kind: 'game', uuid, id: isNamed ? publicIdBase(league, away, home, game.startTime) : uuid, league };
}
