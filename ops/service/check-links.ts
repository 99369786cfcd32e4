// At the start, asks every other service that the roles use whether this process may use it. A wrong protocol, path, authority or login
// stops the start with the setting's name; an unreachable service is asked again until the process runs, because it may come back and
// refuse. The database is checked when it is opened.
import type { Millis } from '../../core/units.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { answerWithin, type LinkAnswer } from '../../platform/links/link-answer.ts';
import { sleep } from '../../platform/process/clock.ts';
import type { Role } from './roles.ts';

export type Links = {
  /** Resolves once each service was asked; rejects with the first wrong setting. */
  asked: Promise<void>;
  /** Rejects with a setting that turns out to be wrong later. Never resolves. */
  refused: Promise<never>;
  stop(): void;
};

type Check = () => Promise<LinkAnswer>;

/** Every question ends within this time, so that the start can name a wrong setting within ten seconds. */
const patienceMs: Millis = 8_000;
const againMs: Millis = 1_000;

export function checkLinks(settings: Settings, roles: readonly Role[]): Links {
  const over = new AbortController();
  const asked: Promise<void>[] = [];
  const refused = Promise.withResolvers<never>();
  // It may reject while nothing awaits it.
  refused.promise.catch(() => {});
  for (const check of checksOf(settings, roles)) {
    const first = ask(check);
    asked.push(first.then(() => {}));
    first
      .then(async (answer) => {
        for (let last = answer; last === 'away' && !over.signal.aborted; last = await ask(check))
          await sleep(againMs, over.signal);
      })
      .catch(refused.reject);
  }
  return { asked: Promise.all(asked).then(() => {}), refused: refused.promise, stop: () => over.abort() };
}

/** The wrong setting among what a command has used; null: none, or the service does not answer. */
export async function wrongLink(
  { edition, kafka, s3 }: Settings,
  used: { log: boolean; objects: boolean },
): Promise<SettingError | null> {
  if (edition === 'embedded') return null;
  const checks = [...(used.log ? checksOfLog(kafka) : []), ...(used.objects ? checksOfObjects(s3) : [])];
  const answers = await Promise.all(checks.map((check) => answerWithin(patienceMs, check).catch(() => null)));
  return answers.find((answer) => answer instanceof SettingError) ?? null;
}

async function ask(check: Check): Promise<'right' | 'away'> {
  const answer = await answerWithin(patienceMs, check);
  if (answer instanceof SettingError) throw answer;
  return answer;
}

/** Each check imports its driver, which is loaded only if it is used. */
function checksOf({ edition, kafka, s3, redis }: Settings, roles: readonly Role[]): Check[] {
  const checks: Check[] = [];
  const serves = roles.includes('api') || roles.includes('ingest');
  if (redis !== null && serves)
    checks.push(async () => (await import('../../platform/redis/check-redis.ts')).checkRedis(redis));
  if (edition === 'embedded') return checks;
  if (roles.some((role) => role !== 'api')) checks.push(...checksOfLog(kafka));
  // A ticker alone needs no rights on objects.
  if (roles.some((role) => role !== 'ticker')) checks.push(...checksOfObjects(s3));
  return checks;
}

function checksOfLog(kafka: Settings['kafka']): Check[] {
  if (kafka === null) return [];
  return [
    async () => (await import('../../platform/kafka/check-kafka.ts')).checkKafka(kafka),
    async () => (await import('../../platform/kafka/check-registry.ts')).checkRegistry(kafka.registry),
  ];
}

function checksOfObjects(s3: Settings['s3']): Check[] {
  if (s3 === null) return [];
  return [async () => (await import('../../platform/objects/check-s3.ts')).checkS3(s3)];
}
