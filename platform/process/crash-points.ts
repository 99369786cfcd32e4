// Crash points armed by a setting, for tests that kill or freeze a real process at a named place. Without the setting every call is a
// no-op.
import type { CrashPoint, CrashPoints } from '../../core/ports/crash-points.ts';
import { crashPointNames, noCrashPoints } from '../../core/ports/crash-points.ts';

type ArmedCrash = { point: CrashPoint; of?: string; at: number; freeze?: true };

/**
 * Parses `name` or `name:n` (the n-th time the place is passed, from 1). A trailing `:freeze` stops the process there until it is
 * continued, instead of killing it; `name@revisions` means the place of that projector alone. Null if the setting is undefined.
 */
export function parseCrashSetting(setting: string | undefined): ArmedCrash | null {
  if (setting === undefined || setting === '') return null;
  const match = /^([a-z]+:[a-z-]+)(?:@([a-z]+))?(?::([1-9][0-9]{0,8}))?(:freeze)?$/.exec(setting);
  const point = crashPointNames.find((name) => name === match?.[1]);
  if (match === null || point === undefined) {
    throw new RangeError(
      `no crash point: ${setting} (one of ${crashPointNames.join(', ')}, optionally followed by @name, :n and :freeze)`,
    );
  }
  const [, , of, at = '1', freeze] = match;
  return {
    point,
    ...(of === undefined ? {} : { of }),
    at: Number(at),
    ...(freeze === undefined ? {} : { freeze: true }),
  };
}

/** Crash points that kill or freeze this process, without cleanup, when the armed place is passed for the n-th time. */
export function crashPointsFrom(setting: string | undefined, die?: () => void): CrashPoints {
  const armed = parseCrashSetting(setting);
  if (armed === null) return noCrashPoints;
  const end = die ?? deathOf(armed);
  let passed = 0;
  return (point, of) => {
    if (point !== armed.point || (armed.of !== undefined && armed.of !== of)) return;
    passed += 1;
    if (passed === armed.at) end();
  };
}

function deathOf({ point, freeze }: ArmedCrash): () => void {
  const end = (): void => void process.kill(process.pid, freeze === true ? 'SIGSTOP' : 'SIGKILL');
  // The commit is sent only after the point is passed, and death must come while it is under way.
  return point === 'projector:in-commit' ? () => void setImmediate(end) : end;
}
