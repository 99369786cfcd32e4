// Cache-Control by kind of answer (docs/interface.md#what-an-instance-remembers). Failures and parts of files are never stored, whatever the
// route says.

export const cachePolicies = {
  live: 'private, max-age=5',
  immutable: 'private, max-age=86400, immutable',
  revalidated: 'private, max-age=0',
  public: 'public, max-age=300',
  never: 'no-store',
} as const;

export type CachePolicy = keyof typeof cachePolicies;
