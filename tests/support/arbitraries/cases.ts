// How many cases a property or a comparison takes: a quarter in `npm run check`, all of them in `npm test`, many times as many in a campaign.

/** `usual` times SDS_CAMPAIGN, which is 1 unless it is set. */
export function cases(usual: number): number {
  return Math.ceil(usual * Number(process.env.SDS_CAMPAIGN ?? 1));
}
