// What a person at a terminal needs first: the addresses of the live page and the reference, and one request to paste.
import type { GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { Clock } from '../../core/ports/clock.ts';

export type BannerFacts = {
  apiUrl: string;
  /** The key, if it may be shown. */
  key: string | null;
  /** A game that is quoted now; null: none yet. */
  gameId: string | null;
};

export function banner({ apiUrl, key, gameId }: BannerFacts): readonly string[] {
  const path = gameId === null ? '/v1/games?status=STARTED' : `/v1/games/${gameId}/odds?best=true`;
  return [
    '',
    `  Live page   ${apiUrl}/`,
    `  Reference   ${apiUrl}/docs`,
    `  Try         curl -sS -H "Authorization: Bearer ${key ?? '$KEY'}" "${apiUrl}${path}"`,
    '',
  ];
}

const lookEveryMs = 250;

/** A game with quotes on its boards, preferring games in play; null if there is none within `patienceMs`. */
export async function firstQuotedGame(
  games: Pick<GamesCatalog, 'offered'>,
  clock: Clock,
  { patienceMs, signal }: { patienceMs: number; signal: AbortSignal },
): Promise<string | null> {
  for (let waited = 0; waited <= patienceMs && !signal.aborted; waited += lookEveryMs) {
    const offered = await games.offered({ league: null, after: null, limit: 100 });
    const game = offered.find(({ status }) => status === 'STARTED') ?? (waited === patienceMs ? offered[0] : undefined);
    if (game !== undefined) return game.gameId;
    await clock.sleep(lookEveryMs, signal);
  }
  return null;
}
