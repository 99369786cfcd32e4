// One epoch of a stream in the naive oracle: its revisions, and which of them are archived.
import type { OracleRevision, OracleTime, TimedObservation } from './msf-stream.ts';

export type OracleEpoch = {
  revisions: OracleRevision[];
  archives: [first: number, last: number][];
  settledAt: OracleTime | null;
  listedFrom: number;
  deletedBelow: number;
  /** The applied observations of its feeds that count in this epoch. */
  counted: TimedObservation[];
  /** Gaps that the reset named. */
  holes: ReadonlySet<string>;
};

export function emptyEpoch(): OracleEpoch {
  return {
    revisions: [],
    archives: [],
    settledAt: null,
    listedFrom: 1,
    deletedBelow: 1,
    counted: [],
    holes: new Set(),
  };
}

/** A history with holes is `legacy_partial`. */
export function coverWith(
  coverage: OracleRevision['coverage'],
  holes: ReadonlySet<string>,
): OracleRevision['coverage'] {
  if (holes.size > 0) Object.assign(coverage, { state: 'legacy_partial', gaps: coverage.gaps + holes.size });
  return coverage;
}

export function unarchived({ revisions, archives }: OracleEpoch): number {
  return revisions.length - (archives.at(-1)?.[1] ?? 0);
}

export function archive(epoch: OracleEpoch): void {
  const first = (epoch.archives.at(-1)?.[1] ?? 0) + 1;
  if (first <= epoch.revisions.length) epoch.archives.push([first, epoch.revisions.length]);
}
