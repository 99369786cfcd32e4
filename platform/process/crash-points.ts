// Crash points armed by a setting, for tests that kill a real process at a named place. Without a setting every call is a no-op.
import type { CrashPoint, CrashPoints } from '../../core/ports/crash-points.ts';
import { crashPointNames, noCrashPoints } from '../../core/ports/crash-points.ts';

export type ArmedCrash = { point: CrashPoint; at: number };

/** Reads `name` or `name:n` (the n-th time the place is passed, from 1). Undefined setting: null. */
export function parseCrashSetting(setting: string | undefined): ArmedCrash | null {
  if (setting === undefined || setting === '') return null;
  const match = /^([a-z]+:[a-z-]+)(?::([1-9][0-9]{0,8}))?$/.exec(setting);
  const point = crashPointNames.find((name) => name === match?.[1]);
  if (match === null || point === undefined) {
    throw new RangeError(
      `no crash point: ${setting} (one of ${crashPointNames.join(', ')}, optionally followed by :n)`,
    );
  }
  return { point, at: Number(match[2] ?? 1) };
}

/** Crash points that kill this process, with no farewell, when the armed place is passed for the n-th time. */
export function crashPointsFrom(setting: string | undefined, die: () => void = killSelf): CrashPoints {
  const armed = parseCrashSetting(setting);
  if (armed === null) return noCrashPoints;
  let passed = 0;
  return (point) => {
    if (point !== armed.point) return;
    passed += 1;
    if (passed === armed.at) die();
  };
}

function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}
