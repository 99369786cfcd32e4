// Whether the first game in play has plays: what examples that read them wait for, where the demo has just begun.
import { getJson } from './published-game.ts';

export async function hasPlays(api: { apiUrl: string; apiKey: string }): Promise<boolean> {
  const { data } = (await getJson(api, '/v1/games?status=STARTED')) as { data: { id: string }[] };
  const url = `${api.apiUrl}/v1/games/${data[0]?.id}/plays/snapshot`;
  return (await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${api.apiKey}` } })).ok;
}
