/** Whether a `fetch` failed because nothing listened there: the request reached no server, so it cost nothing. */
export function wasRefusedAtTheDoor(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
