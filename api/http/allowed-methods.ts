/** What the API takes: it is read from, and takes nothing in. */
export const allowedMethods: readonly string[] = ['GET', 'HEAD'];
