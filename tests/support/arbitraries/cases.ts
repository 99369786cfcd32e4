// How many cases a property or a comparison takes: a quarter in `npm run check` and `npm test`, all of them in `npm run proof`, and many times as
// many in a campaign of it.

/** `usual` times SDS_CAMPAIGN, which is a quarter unless it is set. */
export function cases(usual: number): number {
  return Math.ceil(usual * Number(process.env.SDS_CAMPAIGN ?? 0.25));
}
