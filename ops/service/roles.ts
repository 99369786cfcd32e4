/** The programs of the service; each may run in its own process. */
export const roles = ['api', 'ingest', 'projectors', 'ticker'] as const;
export type Role = (typeof roles)[number];

/** The roles that write; the API only reads. */
export type WritingRole = Exclude<Role, 'api'>;

/**
 * Ticking has no role that must be started, so it cannot be forgotten: any of these roles may tick, one process at a time
 * (docs/operations.md#background-work).
 */
export function mayTick(role: Role): boolean {
  return role === 'ticker' || role === 'projectors';
}

/** Whether a process of these roles only reads: an API alone, on a database that others maintain. */
export function readsAlone(isGiven: boolean, asked: readonly Role[]): boolean {
  return isGiven && !asked.some(isWriting);
}

/** Whether the role writes. */
export function isWriting(role: Role): role is WritingRole {
  return role !== 'api';
}
