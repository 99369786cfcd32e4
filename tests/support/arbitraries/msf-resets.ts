// Logs in which epochs are reset: two resets of one dataset repeat earlier observations, and the first is interrupted.

import type { MsfDataset } from '../../../core/msf/types.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { type LoggedRecord, type LogSketch, recordsOf } from './msf.ts';

export type ResetSketch = {
  dataset: MsfDataset;
  /** Every observation whose number is a multiple of this is no longer kept; 0: all are kept. */
  lost: number;
  /** How many records of the log come between two records of the reset. */
  meanwhile: number;
};

/** A log with two resets: the first is interrupted, the second replaces it and ends. */
export function logWithResets(
  sketch: LogSketch,
  reset: ResetSketch = { dataset: 'plays', lost: 0, meanwhile: 0 },
): LoggedRecord[] {
  const log = recordsOf(sketch);
  const third = Math.ceil(log.length / 3);
  const abandoned = resetOf(log.slice(0, third), 'first', reset).slice(0, -1);
  const ended = resetOf(log.slice(0, 2 * third), 'second', reset);
  return [
    ...log.slice(0, third),
    ...abandoned,
    ...log.slice(third, 2 * third),
    ...interleaved(ended, log.slice(2 * third), reset.meanwhile),
  ];
}

/** A reset: `begin`, each kept observation of the game's scope, `end`. */
function resetOf(log: readonly LoggedRecord[], id: string, { dataset, lost }: ResetSketch): LoggedRecord[] {
  const known = log.filter(({ record }) => record.scope_id !== record.league);
  const last = known.at(-1);
  if (last === undefined) return [];
  const { record: frame, at } = last;
  const said = known.filter(({ record }) => record.observation !== null);
  const kept = said.filter((_, index) => lost === 0 || index % lost !== 0);
  const gap = `${formatMicros(at)}/.. observation-missing`;
  const phase = (name: 'begin' | 'end', gaps: string[]): LoggedRecord => ({
    record: {
      ...frame,
      source: '',
      received_at: null,
      observation: null,
      tick: null,
      reset: { id, dataset, phase: name, gaps },
    },
    at,
    body: null,
  });
  const again = kept.map(({ record, at: loggedAt, body }): LoggedRecord => {
    if (record.observation === null) throw new Error('only observations are kept');
    const observation = { ...record.observation, rebuild: id };
    return { record: { ...record, received_at: loggedAt, observation }, at, body };
  });
  return [phase('begin', []), ...again, phase('end', kept.length < said.length ? [gap] : [])];
}

/** Merges two logs: after each record of the first come `count` records of the second. */
function interleaved(one: readonly LoggedRecord[], other: readonly LoggedRecord[], count: number): LoggedRecord[] {
  const left = [...other];
  return [...one.flatMap((record) => [record, ...left.splice(0, count)]), ...left];
}
