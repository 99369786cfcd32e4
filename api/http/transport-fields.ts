// What an answer demands of the way to its client. The service itself speaks HTTP; where its base URL is https, what stands before it does not.

const strict: readonly string[] = ['Strict-Transport-Security', 'max-age=31536000'];
const none: readonly string[] = [];

/** Header fields of every answer of a service at `baseUrl`: browsers that came by TLS once come by nothing else for a year. */
export function transportFields(baseUrl: string): readonly string[] {
  return baseUrl.startsWith('https:') ? strict : none;
}
