// The tools for replaying dead letters, from a command's session.
import { openBodyScheduler } from '../../ingest/gateway/body-scheduler.ts';
import { heldPayload } from '../../platform/objects/dead-letter-payloads.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { crashPointsFrom } from '../../platform/process/crash-points.ts';
import { openCommandLog, type Session } from '../session/command.ts';
import type { DeadLetterTools } from './replay-dead-letters.ts';

export async function deadLetterTools(
  session: Pick<Session, 'catalogs' | 'settings' | 'interrupted' | 'broker' | 'objects'>,
  holds: DeadLetterTools['holds'],
): Promise<DeadLetterTools> {
  const { catalogs, settings, interrupted } = session;
  const { deadLetters, games, keys, live, pushes, reference } = catalogs;
  const broker = await session.broker();
  return {
    ...{ broker, games, pushes, reference, interrupted, holds, letters: deadLetters },
    keys: new Map((await keys.feedKeys()).map((key) => [key.id, key])),
    closesByTicks: (gameUuid) => live.closesByTicks(gameUuid),
    rankOf: (source) => pushes.rankOf(source),
    crash: crashPointsFrom(settings.crashAt),
    log: openCommandLog(settings),
    scheduler: openBodyScheduler(systemClock),
    now: () => systemClock.now(),
    async payloadOf(id) {
      const letter = await deadLetters.one(id);
      if (letter === null) return null;
      return letter.held === null ? letter.payload : await heldPayload(await session.objects(), letter.held);
    },
  };
}
