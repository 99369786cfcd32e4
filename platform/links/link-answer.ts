// The answer of a service that a starting process asks once: it can be used, it is unreachable now, or a setting is wrong, so that waiting
// does not help.
import type { Millis } from '../../core/units.ts';
import type { SettingError } from '../config/setting-error.ts';
import { sleep } from '../process/clock.ts';

export type LinkAnswer = 'right' | 'away' | SettingError;

/** Combines the answers of several addresses of a service: the first conclusive one; the service can be used if one address can. */
export function joinAnswers(answers: readonly LinkAnswer[]): LinkAnswer {
  if (answers.includes('right')) return 'right';
  return answers.find((each) => each !== 'away') ?? 'away';
}

/** `away` if there is no answer within `ms`. */
export async function answerWithin(ms: Millis, question: () => Promise<LinkAnswer>): Promise<LinkAnswer> {
  const over = new AbortController();
  try {
    return await Promise.race([question(), sleep(ms, over.signal).then(() => 'away' as const)]);
  } finally {
    over.abort();
  }
}
