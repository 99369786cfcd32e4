/** The programs of the service; each may run in its own process. */
export const roles = ['api', 'ingest', 'projectors', 'ticker'] as const;
export type Role = (typeof roles)[number];

/** The roles that write; the API only reads. */
export type WritingRole = Exclude<Role, 'api'>;

/** Whether the role writes. */
export function isWriting(role: Role): role is WritingRole {
  return role !== 'api';
}
