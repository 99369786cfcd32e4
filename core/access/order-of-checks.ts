// The order in which a request is checked (docs/interface.md#order-of-checks): the earliest check that refuses decides the answer, whatever
// else is wrong. Whether the route exists is known before. Unaware of HTTP and of how a check is made: each has one step, of its name, in the
// program that serves.

/**
 * address-limit: 429 rate-limited, where there is no key, but for probes · key: 401 · key-state: 403 key-disabled · subscription: 402 · throttle: 429
 * throttled · rate-limit: 429 rate-limited · shape: 400, of a cursor of another dataset too · dataset: 404 unknown dataset · game: 404 or 503,
 * of a league 404 · cursor: 400, of another game or league · history: 403 history-restricted · resource: 404, then 410, then 409, then 403 of a
 * revision · precondition: 412, 304 · range: 416 · charge: 429 quota-exhausted, or 503.
 */
export const orderOfChecks = [
  'address-limit',
  'key',
  'key-state',
  'subscription',
  'throttle',
  'rate-limit',
  'shape',
  'dataset',
  'game',
  'cursor',
  'history',
  'resource',
  'precondition',
  'range',
  'charge',
] as const;

export type Check = (typeof orderOfChecks)[number];

/** The properties of a route that decide which checks apply. */
export type RouteClass = {
  /** Whether it needs an API key. */
  key: boolean;
  /** Whether load balancers probe it: requests of others from the same address must not make the process look unhealthy. */
  probe: boolean;
  /** Whether its path names a dataset. */
  dataset: boolean;
  /** Whether its path names a game. */
  game: boolean;
  /** Whether its path names a league. */
  league: boolean;
  /** Whether it takes cursors that belong to one game or league. */
  cursor: boolean;
  /** Whether it answers with the bytes of a file, so that ranges are honoured. */
  file: boolean;
  /** Whether its answer is charged. */
  charged: boolean;
};

/** The checks that a request to a route passes, in order. A range is of the body of a GET, and only a body is charged. */
export function checksFor(route: RouteClass, method: 'GET' | 'HEAD'): readonly Check[] {
  return orderOfChecks.filter((check) => {
    switch (check) {
      case 'address-limit':
        return !route.key && !route.probe;
      case 'key':
      case 'key-state':
      case 'subscription':
      case 'throttle':
      case 'rate-limit':
        return route.key;
      case 'dataset':
        return route.dataset;
      case 'game':
        return route.game || route.league;
      case 'cursor':
        return route.cursor;
      case 'history':
        return route.game;
      case 'range':
        return route.file && method === 'GET';
      case 'charge':
        return route.charged && method === 'GET';
      default:
        return true;
    }
  });
}
