// What a service answers when a process that starts asks it once: it can be used, it cannot answer now, or a setting is wrong, and no waiting
// cures that.
import type { Millis } from '../../core/units.ts';
import type { SettingError } from '../config/setting-error.ts';
import { sleep } from '../process/clock.ts';

export type LinkAnswer = 'right' | 'away' | SettingError;

/** The first of the answers that says something of more than one address of a service: it can be used if one of them can. */
export function joinAnswers(answers: readonly LinkAnswer[]): LinkAnswer {
  if (answers.includes('right')) return 'right';
  return answers.find((each) => each !== 'away') ?? 'away';
}

/** `away` where the question has no answer within `ms`. */
export async function answerWithin(ms: Millis, question: () => Promise<LinkAnswer>): Promise<LinkAnswer> {
  const over = new AbortController();
  try {
    return await Promise.race([question(), sleep(ms, over.signal).then(() => 'away' as const)]);
  } finally {
    over.abort();
  }
}
