// Reads one native event as an observation: docs/quotes.md#the-native-event.
import { canonical, type Json, member, sha256, stringMember } from './json.ts';
import { leaguesSaid } from './leagues.ts';
import {
  addQuotes,
  type Coverage,
  everything,
  type GameReference,
  mostBytes,
  mostQuotes,
  operatorCode,
  type ReadElement,
  refusedElement,
} from './observation.ts';
import { type Quote, wordsOfNative } from './quote.ts';
import { sourceTimeOf, type Timing } from './source-time.ts';
import { readMeant } from './times.ts';

/** `body` is the text of the push: the size limit applies to "the element as received". */
export function readNative(
  event: Json,
  body: string,
  timing: Timing,
  knowsGame: (gameId: string) => boolean,
): ReadElement {
  // "A refused event shows one code, in the order `too-large`, `bad-event`, `bad-operator`, `forbidden-time`, `bad-time`, …"
  const said = member(event, 'quotes');
  const tooManyQuotes = said !== undefined && said.items.length > mostQuotes;
  if (tooManyQuotes || Buffer.byteLength(body.slice(event.start, event.end)) > mostBytes) {
    return refusedElement('too-large', event);
  }

  const kind = stringMember(event, 'kind');
  if (kind !== 'image' && kind !== 'delta' && kind !== 'heartbeat') return refusedElement('bad-event', event);
  if (said !== undefined && said.kind !== 'array') return refusedElement('bad-event', event);
  if (kind === 'heartbeat' ? said !== undefined && said.items.length > 0 : said === undefined) {
    return refusedElement('bad-event', event);
  }
  const inPlay = member(event, 'in_play');
  if (inPlay !== undefined && inPlay.kind !== 'boolean') return refusedElement('bad-event', event);
  const coverage = nativeCoverage(member(event, 'markets'));
  const game = nativeGame(member(event, 'game'));
  if (coverage === undefined || game === undefined) return refusedElement('bad-event', event);
  if (game.gameId !== undefined && !knowsGame(game.gameId)) return refusedElement('bad-event', event);

  const code = operatorCode(stringMember(event, 'operator') ?? '');
  if (code === undefined) return refusedElement('bad-operator', event);

  const time = sourceTimeOf(member(event, 'observed_at'), timing);
  if (typeof time === 'string') return refusedElement(time, event);

  const codes: string[] = [];
  const quotes: Quote[] = [];
  if (kind !== 'heartbeat') addQuotes(quotes, (said?.items ?? []).map(wordsOfNative), kind, codes);
  return {
    refused: undefined,
    codes,
    game,
    observation: {
      kind,
      scope: code,
      inPlay: inPlay === undefined ? undefined : inPlay.text === 'true',
      coverage,
      operators: [{ code, quotes }],
    },
    sourceTime: time,
    sha256: sha256(canonical(event)),
  };
}

/** "Coverage of an image: the named markets with all their periods and alternates (default: everything)." */
function nativeCoverage(markets: Json | undefined): Coverage | undefined {
  if (markets === undefined) return everything;
  if (markets.kind !== 'array' || markets.items.some((item) => item.kind !== 'string')) return undefined;
  return {
    operators: undefined,
    markets: markets.items.map((item) => ({ market: item.text, period: undefined, lineInIdentity: undefined })),
  };
}

/** "`game` names `game_id` (public id or UUID) or `league` + `event_id` + teams + `commence_time`." */
function nativeGame(game: Json | undefined): GameReference | undefined {
  if (game === undefined || game.kind !== 'object') return undefined;
  const startWord = member(game, 'commence_time');
  const start = startWord?.kind === 'string' ? readMeant(startWord.text) : undefined;
  if (startWord !== undefined && start === undefined) return undefined;
  const gameId = member(game, 'game_id');
  if (gameId !== undefined) {
    if (gameId.kind !== 'string') return undefined;
    return { gameId: gameId.text, league: '', eventId: '', home: '', away: '', start };
  }
  const league = stringMember(game, 'league');
  const eventId = stringMember(game, 'event_id');
  const home = stringMember(game, 'home_team');
  const away = stringMember(game, 'away_team');
  if (!league || !eventId || !home || !away || start === undefined || !Object.hasOwn(leaguesSaid, league))
    return undefined;
  return { gameId: undefined, league, eventId, home, away, start };
}
