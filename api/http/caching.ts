// Cache-Control by kind of answer (docs/interface.md#client-caching). Errors and 206 responses are always no-store, whatever the route's
// policy.

export const cachePolicies = {
  live: 'private, max-age=5',
  immutable: 'private, max-age=86400, immutable',
  revalidated: 'private, max-age=0',
  public: 'public, max-age=300',
  never: 'no-store',
} as const;

export type CachePolicy = keyof typeof cachePolicies;
