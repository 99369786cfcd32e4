/** The programs of the service; each may run in its own process. */
export const roles = ['api', 'ingest', 'projectors', 'ticker'] as const;
export type Role = (typeof roles)[number];
