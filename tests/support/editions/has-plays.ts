// Whether the first game in play has plays. Examples that read plays wait for it after the demo has started.
import { getJson } from './published-game.ts';

export async function hasPlays(api: { apiUrl: string; apiKey: string }): Promise<boolean> {
  const { data } = (await getJson(api, '/v1/games?status=STARTED')) as { data: { id: string }[] };
  const url = `${api.apiUrl}/v1/games/${data[0]?.id}/plays/snapshot`;
  return (await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${api.apiKey}` } })).ok;
}
