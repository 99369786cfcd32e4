// Strict-Transport-Security. The service itself speaks HTTP; where its base URL is https, a proxy in front of it speaks TLS.

const strict: readonly string[] = ['Strict-Transport-Security', 'max-age=31536000'];
const none: readonly string[] = [];

/** Header fields of every answer of a service at `baseUrl`: a browser that has used TLS uses nothing else for a year. */
export function transportFields(baseUrl: string): readonly string[] {
  return baseUrl.startsWith('https:') ? strict : none;
}
