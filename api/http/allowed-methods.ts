/** The methods of the API, which is read-only. */
export const allowedMethods: readonly string[] = ['GET', 'HEAD'];
