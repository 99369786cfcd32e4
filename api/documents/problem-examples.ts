// An example document of each problem type, for its page.
import { type GatewayProblemCode, gatewayProblemTypes } from '../../schemas/http/problems.ts';

const gameId = 'MLB_STL_NYY_20260805';
const lines = `/v1/games/${gameId}/sportsbook-lines`;
const plays = `/v1/games/${gameId}/plays`;
const epoch = '01K1ZJ2M5Q8W3N7T4R6Y9B0C1D';
const refusal = { index: 0, pointer: '/quotes/1/price', code: 'bad-price', detail: 'price is missing' };

/** The members of an example besides type, title and status; left out: none. */
const more: Partial<Record<GatewayProblemCode, (baseUrl: string) => Record<string, unknown>>> = {
  'validation-error': () => ({ detail: "unknown parameter 'leage': did you mean league?" }),
  'malformed-request': () => ({ detail: 'A request has exactly one Host header.' }),
  'key-disabled': () => ({ detail: 'The API key is revoked.' }),
  'subscription-required': (baseUrl) => ({ upgrade_url: `${baseUrl}/docs#tiers` }),
  'not-found': () => ({ reason: 'final_available', final: lines, first_seq: 1 }),
  'not-final': () => ({ game_id: gameId, live: { segments: `${lines}/segments`, board: `${lines}/board` } }),
  'not-yet-available': () => ({ poll_after: 5 }),
  'method-not-allowed': () => ({ detail: 'The route takes GET and HEAD.' }),
  'live-segment-behind': () => ({
    detail: 'The segment has fewer than 1312 rows: the log was rebuilt. List the segments again without a cursor.',
    ...{ game_id: gameId, seq: 2, rows: 1_312 },
  }),
  'live-cursor-reset': () => ({
    detail: 'The log was rebuilt and does not hold this cursor. List the segments again without a cursor.',
    game_id: gameId,
  }),
  'stream-reset': () => ({ stream_epoch: epoch, snapshot: `${plays}/snapshot`, archives: `${plays}/archives` }),
  'cursor-expired': () => ({ stream_epoch: epoch, snapshot: `${plays}/snapshot`, archives: `${plays}/archives` }),
  'quota-exhausted': (baseUrl) => ({ reset: '2026-09-01', upgrade_url: `${baseUrl}/docs#tiers` }),
  'payload-too-large': () => ({ rejected: [refusal] }),
};

export function problemExample(baseUrl: string, code: GatewayProblemCode): Record<string, unknown> {
  const { title, statuses } = gatewayProblemTypes[code];
  return { type: `${baseUrl}/problems/${code}`, title, status: statuses[0], ...more[code]?.(baseUrl) };
}
