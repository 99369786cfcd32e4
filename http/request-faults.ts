// Faults of a request that are found before any route: the rules of HTTP, and a path or method without a route.
import type { RequestHead } from './head.ts';
import { type Refusal, refuse } from './refusal.ts';

type RequestLine = { url?: string | undefined; httpVersion: string };

/** The refusal of a URL that is too long, or of a request without exactly one Host header. */
export function faultOfHttp(
  { url = '', httpVersion }: RequestLine,
  { hostCount }: Pick<RequestHead, 'hostCount'>,
  mostCharacters: number,
): Refusal | null {
  if (url.length > mostCharacters) {
    return refuse('malformed-request', {
      status: 414,
      detail: `The URL is longer than ${mostCharacters} characters.`,
    });
  }
  if (hostCount > 1 || (hostCount === 0 && httpVersion !== '1.0')) {
    return refuse('malformed-request', { detail: 'A request has exactly one Host header.' });
  }
  return null;
}

type RoutePath = { readonly path: string; readonly methods: readonly string[] };

/** The refusal of a request target without a route: 405 if another method has one, otherwise 404. */
export function faultsOfPaths(routes: readonly RoutePath[]): (target: string) => Refusal {
  const known = routes.map(({ path, methods }) => ({
    form: new RegExp(`^${path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`),
    methods,
  }));
  return (target) => {
    const path = pathOf(target);
    const methods = [...new Set(known.flatMap(({ form, methods }) => (form.test(path) ? methods : [])))];
    if (methods.length === 0) return refuse('not-found', { detail: 'There is no such route.' });
    return refuse('method-not-allowed', {
      detail: `The route takes ${methods.join(' and ')}.`,
      headers: ['Allow', methods.join(', ')],
    });
  };
}

/** The path of a request target, decoded as the router decodes it; the target may also contain scheme and host. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
