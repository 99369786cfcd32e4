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

/** Whether the role writes. */
export function isWriting(role: Role): role is WritingRole {
  return role !== 'api';
}
