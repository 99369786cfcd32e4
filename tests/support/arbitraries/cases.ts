// How many cases a property or a comparison runs: a quarter of the usual number in `npm run check` and `npm test`, all
// in `npm run proof`, and a multiple in its campaign.

/** `usual` times SDS_CAMPAIGN; a quarter of it if that is not set. */
export function cases(usual: number): number {
  return Math.ceil(usual * Number(process.env.SDS_CAMPAIGN ?? 0.25));
}
