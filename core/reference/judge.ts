// Validates records of `sds.games.v1`. Any producer may have written them, so nothing in them is trusted (docs/operations.md#topics).
import type { GamesRecord } from '../../schemas/events/games.ts';
import { isCanonicalUuid } from '../games/uuid.ts';
import { isLeague } from '../league-code.ts';
import { msfSource } from '../msf/ids.ts';
import { isSourceName } from '../quotes/name-forms.ts';
import { ownId } from './identify.ts';
import type { ReferenceKind, ReferenceRefusal } from './types.ts';

/** Longer names are no real names, and do not fit an index. */
const longestName = 256;
export const mostAliases = 32;

/** Whether the catalog can store the text: not empty, well-formed Unicode, no NUL. */
export function isKeepableName(text: string): boolean {
  return text !== '' && text.length <= longestName && text.isWellFormed() && !text.includes('\0');
}

/** The kind of a record; null if it has none or several. */
export function kindOf(record: GamesRecord): ReferenceKind | null {
  const kinds = (['team', 'player', 'venue'] as const).filter((kind) => record[kind] !== null);
  return kinds.length === 1 ? (kinds[0] as ReferenceKind) : null;
}

/** Why a record cannot be applied, or null. */
export function recordRefusal(key: string | null, record: GamesRecord): ReferenceRefusal | null {
  const { id, league, source, source_id: sourceId } = record;
  const kind = kindOf(record);
  if (kind === null) return bad('', 'exactly one of team, player and venue is set');
  if (!isSourceName(source)) return bad('/source', 'source is not a valid source name');
  if (!isLeague(league)) return bad('/league', 'league is not a league of the service');
  if (!isKeepableName(sourceId)) return bad('/source_id', 'source_id is not a valid id');
  if (!isCanonicalUuid(id)) return bad('/id', 'id is not a lower-case UUID');
  if (key !== ownId(source, kind, league, sourceId)) {
    return {
      code: 'bad-key',
      pointer: '',
      detail: `the key is not the UUIDv5 of <source>/${kind}/<league>/<source_id>`,
    };
  }
  if (source === msfSource && kind !== 'team' && id !== key) {
    return bad('/id', `a ${kind} of msf has the id that its rows carry, and no other's`);
  }
  return factsRefusal(record);
}

function factsRefusal({ team, player, venue }: GamesRecord): ReferenceRefusal | null {
  if (team !== null) {
    const { name, abbreviation, city, nickname, conference, division, aliases } = team;
    if (aliases.length > mostAliases) return bad('/team/aliases', `more than ${mostAliases} aliases`);
    return badText(
      '/team',
      { name },
      { abbreviation, city, nickname, conference, division, ...Object.fromEntries(aliases.entries()) },
    );
  }
  if (player !== null) {
    const { first_name, last_name, position, jersey_number: jersey, current_team_id: team_id } = player;
    if (jersey !== null && (!Number.isInteger(jersey) || jersey < 0 || jersey > 999)) {
      return bad('/player/jersey_number', 'jersey_number is not 0 to 999');
    }
    if (team_id !== null && !isCanonicalUuid(team_id)) return bad('/player/current_team_id', 'not a lower-case UUID');
    return badText('/player', { last_name }, { position, first_name: first_name === '' ? null : first_name });
  }
  return venue === null ? null : badText('/venue', { name: venue.name }, { city: venue.city, country: venue.country });
}

type Texts = Readonly<Record<string, string | null>>;

/** Checks texts that must be present, and texts that may be null. */
function badText(at: string, required: Texts, optional: Texts): ReferenceRefusal | null {
  for (const [name, text] of Object.entries({ ...required, ...optional })) {
    if (text === null ? Object.hasOwn(required, name) : !isKeepableName(text))
      return bad(`${at}/${name}`, `${name} is no name`);
  }
  return null;
}

function bad(pointer: string, detail: string): ReferenceRefusal {
  return { code: 'bad-record', pointer, detail };
}
