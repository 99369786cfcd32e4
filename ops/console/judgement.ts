// How a part of the service stands: well, not well, or unknown because its facts did not answer.
import type { Micros } from '../../core/units.ts';
import type { Asked } from '../health/ask-dependency.ts';

export type PartState = 'ok' | 'warn' | 'unknown';

/** `what`: one line for the administrator. `since`: where it is known. */
export type Judgement = { state: PartState; what: string; since?: Micros };

/** The judgement of an answer; unknown without one. */
export function judged<Answer>(asked: Asked<Answer>, judge: (answer: Answer) => Judgement): Judgement {
  return 'away' in asked ? { state: 'unknown', what: asked.away } : judge(asked.answer);
}

export function ok(what: string): Judgement {
  return { state: 'ok', what };
}

export function warn(what: string, since?: Micros): Judgement {
  return since === undefined ? { state: 'warn', what } : { state: 'warn', what, since };
}

/** A duration in the largest unit that is below it. */
export function ageText(age: Micros): string {
  const seconds = Math.max(0, Math.round(age / 1_000_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
