// The order in which a request is checked (docs/interface.md#order-of-checks): the first check that refuses decides the answer. The route
// is known before. Independent of HTTP and of how a check works: the API program has one step per check, with the same name.

/**
 * address-limit: 429 rate-limited, on routes without a key except probes · key: 401 · key-state: 403 key-disabled · subscription: 402 ·
 * throttle: 429 throttled · rate-limit: 429 rate-limited · shape: 400, also for a cursor of another dataset · dataset: 404 unknown dataset
 * · game: 404 or 503, for a league 404 · cursor: 400 for a cursor of another game or league · history: 403 history-restricted · resource:
 * 404, then 410, then 409, then 403 of a revision · precondition: 412, 304 · range: 416 · charge: 429 quota-exhausted, or 503.
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
  /**
   * Whether load balancers probe it. The address limit skips probes, so that other requests from the same address cannot make the process
   * look unhealthy.
   */
  probe: boolean;
  /** Whether its path names a dataset. */
  dataset: boolean;
  /** Whether its path names a game. */
  game: boolean;
  /** Whether its path names a league. */
  league: boolean;
  /** Whether it takes cursors that belong to one game or league. */
  cursor: boolean;
  /** Whether it answers with the bytes of a file and so supports ranges. */
  file: boolean;
  /** Whether its answer is charged. */
  charged: boolean;
};

/** The checks of a route, in order. Only a GET is checked for ranges and charged. */
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
