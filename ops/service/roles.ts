/** The programs of the service: any of them may run in a process of its own. */
export const roles = ['api', 'ingest', 'projectors', 'ticker'] as const;
export type Role = (typeof roles)[number];
