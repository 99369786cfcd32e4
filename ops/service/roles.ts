/** The programs of the service; each may run in its own process. */
export const roles = ['api', 'ingest', 'projectors', 'ticker'] as const;
export type Role = (typeof roles)[number];

/** The roles that write; the API only reads. */
export type WritingRole = Exclude<Role, 'api'>;

/** Ticking needs no role of its own, which could be forgotten: each of these may, one process at a time (docs/operations.md#background-work). */
export function mayTick(role: Role): boolean {
  return role === 'ticker' || role === 'projectors';
}

/** Whether the role writes. */
export function isWriting(role: Role): role is WritingRole {
  return role !== 'api';
}
