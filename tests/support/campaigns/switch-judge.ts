// Judges the switch from live to final from outside (I16, docs/settlement.md#when-a-game-closes): for each game and instance, the last
// request that was answered live and the first answer that said final. Independent of how the answers were requested.

/** What an answer says about a game: it is served live, or its final file exists. */
export type Says = 'live' | 'final';

export type JudgedAnswer = {
  instance: string;
  game: string;
  path: string;
  says: Says;
  begunAt: number;
  endedAt: number;
};

type Seen = { lastLiveBegunAt: number; firstFinalEndedAt: number | null };

/** How long an instance may serve a game live after the commit, in milliseconds. */
const mostLag = 5_000;

/** Milliseconds of the wall clock, which never stops or goes back in this process. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

export class SwitchJudge {
  readonly violations: string[] = [];
  readonly #seen = new Map<string, Map<string, Seen>>();

  hear({ instance, game, path, says, begunAt, endedAt }: JudgedAnswer): void {
    const byInstance = this.#seen.get(game) ?? new Map<string, Seen>();
    this.#seen.set(game, byInstance);
    const seen = byInstance.get(instance) ?? { lastLiveBegunAt: Number.NEGATIVE_INFINITY, firstFinalEndedAt: null };
    byInstance.set(instance, seen);
    if (says === 'final') seen.firstFinalEndedAt ??= endedAt;
    else {
      if (seen.firstFinalEndedAt !== null && begunAt > seen.firstFinalEndedAt)
        this.violations.push(
          `${instance} serves ${path} live ${begunAt - seen.firstFinalEndedAt} ms after it said final`,
        );
      seen.lastLiveBegunAt = Math.max(seen.lastLiveBegunAt, begunAt);
    }
  }

  /** Whether any instance has answered that the game is served live. */
  isTracked(game: string): boolean {
    return [...(this.#seen.get(game)?.values() ?? [])].some(({ lastLiveBegunAt }) => Number.isFinite(lastLiveBegunAt));
  }

  hasFlipped(game: string, instance: string): boolean {
    return (this.#seen.get(game)?.get(instance)?.firstFinalEndedAt ?? null) !== null;
  }

  /** For one instance: the time from the landing to the last request still answered live; 0 if there was none. */
  lagOf(game: string, instance: string, landedAt: number): number {
    const lag = Math.max(0, (this.#seen.get(game)?.get(instance)?.lastLiveBegunAt ?? landedAt) - landedAt);
    if (lag > mostLag) this.violations.push(`${instance} serves ${game} live ${lag} ms after it landed`);
    return lag;
  }
}
