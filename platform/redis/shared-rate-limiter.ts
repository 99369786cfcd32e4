// A rate limiter with a shared count. Requests of one subject that arrive during a call go together into the next, and busy subjects are
// served from leases, so a hot key never waits. This process also counts what it admitted itself. By that count it decides alone, for this
// instance's part of the limit, while the shared count is unreachable, and still limits after the shared count has lost its data. It reports
// what it admitted alone as soon as it can. Independent of where the shared count is.
import { type Grant, LeasedTokens, type LeaseQuestion, leaseMs } from '../../core/limits/leased-tokens.ts';
import type { RequestWindow } from '../../core/limits/request-window.ts';
import { UnreportedUses, type UsesReport } from '../../core/limits/unreported-uses.ts';
import { WindowTable } from '../../core/limits/window-table.ts';
import type { Admission, RateLimiter } from '../../core/ports/rate-limiter.ts';
import type { Millis } from '../../core/units.ts';

export type SharedCount = {
  /** Whether to call the shared count now. */
  ready(): boolean;
  /** How many instances share it, as far as known. */
  instances(): number;
  /** Rejects if there is no answer in time: it may or may not have counted. */
  ask(subject: string, limit: number, question: LeaseQuestion, report: UsesReport): Promise<Grant>;
  close(): Promise<void>;
};

type Waiting = { limit: number; looks: boolean; decide(admission: Admission): void };

type Subject = {
  tokens: LeasedTokens;
  unreported: UnreportedUses;
  limit: number;
  waiting: Waiting[];
  asking: boolean;
  usedAt: Millis;
};

/** Beyond this many subjects, requests admitted alone are not reported: strangers must not be able to grow our memory. */
const mostSubjects = 100_000;
/** Subjects reported at a time, so that a recovered count is not flooded. */
const reportedAtOnce = 500;

export function openSharedRateLimiter(options: {
  count: SharedCount;
  /** The same as that of `count`. */
  window: RequestWindow;
  /** Monotonic. */
  now(): Millis;
  sleep(ms: Millis, signal: AbortSignal): Promise<void>;
  newLeaseId(): string;
}): RateLimiter {
  const { count, window, now, newLeaseId } = options;
  const own = new WindowTable({ window });
  const subjects = new Map<string, Subject>();
  /** Number of the next request admitted alone, over all subjects. */
  let nextAlone = 0;
  const closing = new AbortController();
  const sweeping = sweep();

  function subjectOf(name: string): Subject {
    const known = subjects.get(name);
    if (known !== undefined) return known;
    const [tokens, unreported] = [new LeasedTokens(newLeaseId), new UnreportedUses(nextAlone, window.ms)];
    const made: Subject = { tokens, unreported, limit: 0, waiting: [], asking: false, usedAt: 0 };
    subjects.set(name, made);
    return made;
  }

  function alone(name: string, limit: number, cost: number): Admission {
    const time = now();
    const admission = own.admit(name, Math.ceil(limit / Math.max(1, count.instances())), time, cost);
    if (!admission.admitted || cost === 0 || (subjects.size >= mostSubjects && !subjects.has(name))) return admission;
    const subject = subjectOf(name);
    subject.limit = limit;
    subject.usedAt = time;
    subject.unreported.add(time);
    nextAlone += 1;
    return admission;
  }

  /** The shared answer, if our own count agrees. */
  function granted(name: string, limit: number, remaining: number, resetMs: Millis): Admission {
    const mine = own.admit(name, limit, now());
    if (!mine.admitted || mine.remaining <= remaining) return mine;
    return { admitted: true, limit, remaining, window, resetMs: remaining > 0 ? window.ms : resetMs };
  }

  async function askWhileWaiting(name: string, subject: Subject): Promise<void> {
    subject.asking = true;
    try {
      do await ask(name, subject);
      while (subject.waiting.length > 0);
    } finally {
      subject.asking = false;
    }
  }

  /** Retries once: a single late answer is no reason to decide alone, which could admit what other instances have taken. */
  async function answerTo(
    name: string,
    limit: number,
    question: LeaseQuestion,
    report: UsesReport,
  ): Promise<Grant | null> {
    for (let attempt = 0; attempt < 2 && count.ready(); attempt += 1) {
      try {
        return await count.ask(name, limit, question, report);
      } catch {}
    }
    return null;
  }

  async function ask(name: string, subject: Subject): Promise<void> {
    const waiting = subject.waiting.splice(0);
    const { limit } = subject;
    const sentAt = now();
    const wanted = waiting.filter(({ looks }) => !looks).length;
    const question = subject.tokens.ask(sentAt, Math.min(wanted, own.admit(name, limit, sentAt, 0).remaining));
    const report = subject.unreported.report(sentAt);
    const grant = await answerTo(name, limit, question, report);
    if (grant === null) {
      for (const { decide, looks, limit: asked } of waiting) decide(alone(name, asked, looks ? 0 : 1));
      return;
    }
    subject.tokens.answered(question, sentAt, grant);
    subject.unreported.reported(report);
    const { free, leased, resetMs } = grant;
    let left = grant.taken;
    for (const { decide, looks } of waiting) {
      if (looks) decide({ admitted: left + free > 0, limit, remaining: left + free + leased, window, resetMs });
      else if (left > 0) {
        left -= 1;
        decide(granted(name, limit, left + free + leased, resetMs));
      } else if (grant.taken < question.take) decide({ admitted: false, limit, remaining: 0, window, resetMs });
      else decide({ ...own.admit(name, limit, now(), 0), admitted: false, remaining: 0 });
    }
  }

  function wait(name: string, limit: number, looks: boolean): Promise<Admission> {
    const subject = subjectOf(name);
    subject.limit = limit;
    subject.usedAt = now();
    const answer = new Promise<Admission>((decide) => subject.waiting.push({ limit, looks, decide }));
    if (!subject.asking) void askWhileWaiting(name, subject);
    return answer;
  }

  /**
   * Reports ended leases of idle subjects, so that their unused part returns to the shared count, and requests admitted alone, so that the
   * other instances see them.
   */
  async function sweep(): Promise<void> {
    while (!closing.signal.aborted) {
      await options.sleep(leaseMs / 2, closing.signal);
      let reports = count.ready() ? reportedAtOnce : 0;
      for (const [name, subject] of subjects) {
        if (subject.asking) continue;
        const time = now();
        const isReported = subject.unreported.isEmpty(time);
        if (subject.tokens.isDue(time)) void askWhileWaiting(name, subject);
        else if (!isReported && reports > 0) {
          reports -= 1;
          void askWhileWaiting(name, subject);
        } else if (isReported && subject.tokens.isIdle && time - subject.usedAt > 2 * leaseMs) subjects.delete(name);
      }
    }
  }

  return {
    admit(name, limit) {
      if (!count.ready()) return alone(name, limit, 1);
      const time = now();
      const mine = own.admit(name, limit, time, 0);
      if (mine.remaining === 0) return { ...mine, admitted: false };
      const subject = subjects.get(name);
      const remaining = subject === undefined || subject.limit !== limit ? null : subject.tokens.use(time);
      if (remaining === null) return wait(name, limit, false);
      (subject as Subject).usedAt = time;
      return granted(name, limit, remaining, window.ms);
    },
    look: (name, limit) => (count.ready() ? wait(name, limit, true) : alone(name, limit, 0)),
    degraded: () => !count.ready(),
    async close() {
      closing.abort();
      await sweeping;
      if (count.ready()) {
        const held = [...subjects].filter(
          ([, { asking, tokens, unreported }]) => !asking && (!tokens.isIdle || !unreported.isEmpty(now())),
        );
        await Promise.all(held.map(([name, subject]) => askWhileWaiting(name, subject)));
      }
      await count.close();
    },
  };
}
