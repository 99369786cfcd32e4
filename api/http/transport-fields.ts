// Strict-Transport-Security. The service itself speaks HTTP; with an https base URL, a proxy in front of it speaks TLS.

const strict: readonly string[] = ['Strict-Transport-Security', 'max-age=31536000'];
const none: readonly string[] = [];

/** Header fields of every answer of a service at `baseUrl`; they make browsers use only TLS for a year. */
export function transportFields(baseUrl: string): readonly string[] {
  return baseUrl.startsWith('https:') ? strict : none;
}
