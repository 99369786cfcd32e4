// Whether a record of `sds.observations.v1` is valid, and for which scope. Any member may have any value, because the log is open to direct
// producers (docs/operations.md#topics). Checks only the frame; the observation is checked when it is read.
import type {
  EpochReset,
  GivenStatus,
  MsfObservation,
  ObservationsRecord,
} from '../../../schemas/events/observations.ts';
import { isPublicId } from '../../games/public-id.ts';
import { isStatus } from '../../games/status.ts';
import { movesByHand } from '../../games/status-moves.ts';
import { isCanonicalUuid } from '../../games/uuid.ts';
import { isLeague } from '../../league-code.ts';
import { believedTime } from '../../quotes/believed-times.ts';
import { isSourceName } from '../../quotes/name-forms.ts';
import { sourceTimeRefusal } from '../../quotes/source-time.ts';
import type { Micros } from '../../units.ts';
import { feedNamed, gamePartsOf, isOf } from '../feeds/feeds.ts';
import { leagueUuid } from '../ids.ts';
import { type MsfDataset, msfDatasets, type Scope } from '../types.ts';
import { areHoles } from './coverage.ts';

/** Why a record, or a part of it, becomes a dead letter. */
type MsfRefusalCode =
  | 'bad-key'
  | 'bad-record'
  | 'misplaced'
  | 'bad-time'
  | 'future-observation'
  | 'bad-element'
  | 'bad-body'
  | 'bad-value'
  | 'illegal-status-move';

/** `pointer`: relative to the record; for `bad-body` and `bad-value`, to the element. */
export type MsfRefusal = { code: MsfRefusalCode; pointer: string; detail: string };

const resetIdForm = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * Why a record is invalid, or null. Checks its key, its scope, that it has exactly one kind of content, and that its times are plausible;
 * how much they count is up to the fold. `brokerTime`: the broker's timestamp of it.
 */
export function frameRefusal(key: string | null, record: ObservationsRecord, brokerTime: Micros): MsfRefusal | null {
  const { scope_uuid: uuid, observation, reset, tick, status, received_at: received } = record;
  if (!isCanonicalUuid(uuid)) return bad('bad-key', '/scope_uuid', 'scope_uuid is no canonical UUID');
  if (key !== uuid) return bad('bad-key', '/scope_uuid', 'the key is not the UUID in the value');
  if (!isLeague(record.league)) return bad('bad-record', '/league', 'league is not a league of the service');
  if (scopeOf(record) === null) return bad('bad-record', '/scope_id', 'scope_id names neither the game nor the league');
  if ([observation, reset, tick, status].filter((content) => content !== null).length !== 1) {
    return bad('bad-record', '', 'exactly one of observation, reset, tick and status is set');
  }
  if (received !== null && !isTime(received)) return badTime('/received_at');
  if (record.push_index !== null && !(record.push_index >= 0)) return bad('bad-record', '/push_index', 'below 0');
  if (tick !== null) return isTime(tick.at) ? null : badTime('/tick/at');
  if (reset !== null) return resetRefusal(reset);
  if (status !== null) return statusRefusal(record, status);
  if (!isSourceName(record.source)) return bad('bad-record', '/source', 'source is not a valid source name');
  return observation === null
    ? null
    : observationRefusal(record, observation, believedTime(received ?? brokerTime, brokerTime));
}

/** The scope that a record names: a league's under its own UUID, or a game's; null if it is invalid. */
export function scopeOf({ scope_uuid: uuid, scope_id: id, league }: ObservationsRecord): Scope | null {
  if (!isLeague(league)) return null;
  const isLeagues = uuid === leagueUuid(league);
  if (isLeagues) return id === league ? { kind: 'league', uuid, id, league } : null;
  if (id !== uuid && !(isPublicId(id) && id.startsWith(`${league}_`))) return null;
  return { kind: 'game', uuid, id, league };
}

/** The dataset of a reset whose frame is valid. */
export function datasetNamed(name: string): MsfDataset | null {
  return msfDatasets.find((dataset) => dataset === name) ?? null;
}

function observationRefusal(
  record: ObservationsRecord,
  observation: MsfObservation,
  received: Micros,
): MsfRefusal | null {
  const feed = feedNamed(observation.feed);
  const isLeagues = record.scope_id === record.league;
  if (feed === null || !isOf(isLeagues ? 'league' : 'game', feed)) {
    return bad('bad-record', '/observation/feed', 'no feed of such a scope');
  }
  const { msf_game_id: id, request_started_at: requested, rebuild } = observation;
  if (id === null ? !isLeagues && gamePartsOf(feed) === null : isLeagues || !Number.isSafeInteger(id)) {
    return bad('bad-record', '/observation/msf_game_id', 'no id of the game, or an id in a league');
  }
  if ((observation.element === null) === (observation.held === null)) {
    return bad('bad-record', '/observation', 'exactly one of element and held is set');
  }
  if (requested !== null && !isTime(requested)) {
    return badTime('/observation/request_started_at');
  }
  if (rebuild !== null && !resetIdForm.test(rebuild)) return bad('bad-record', '/observation/rebuild', 'no id');
  if (observation.observed_at === null) return null;
  const refusal = sourceTimeRefusal(observation.observed_at, received, '/observation/observed_at');
  return refusal === null ? null : { ...refusal, code: refusal.code as 'bad-time' | 'future-observation' };
}

function resetRefusal({ id, dataset, phase, gaps }: EpochReset): MsfRefusal | null {
  if (!resetIdForm.test(id)) return bad('bad-record', '/reset/id', 'no id');
  if (datasetNamed(dataset) === null) return bad('bad-record', '/reset/dataset', 'no dataset of streams');
  if (phase !== 'begin' && phase !== 'end') return bad('bad-record', '/reset/phase', 'phase is not begin or end');
  return areHoles(gaps) ? null : bad('bad-record', '/reset/gaps', 'a gap does not read <from>/<to> <reason>');
}

function statusRefusal({ scope_id: id, league }: ObservationsRecord, { from, to, at }: GivenStatus): MsfRefusal | null {
  if (id === league) return bad('bad-record', '/scope_id', 'a league has no status');
  if (!isStatus(from) || !isStatus(to) || !movesByHand(from).includes(to))
    return bad('bad-record', '/status', 'no move that is made by hand');
  return isTime(at) ? null : badTime('/status/at');
}

function isTime(time: Micros): boolean {
  return Number.isSafeInteger(time) && time >= 0;
}

function badTime(pointer: string): MsfRefusal {
  return bad('bad-record', pointer, 'no time');
}

function bad(code: 'bad-key' | 'bad-record', pointer: string, detail: string): MsfRefusal {
  return { code, pointer, detail };
}
