// Where a recorded body of MySportsFeeds is pushed: as its line says, otherwise as the command's options say.
import { isLeague } from '../../core/league-code.ts';
import { feedNamed, msfFeeds } from '../../core/msf/feeds/feeds.ts';
import { leagues } from '../../schemas/reference/leagues.ts';
import { BadLine, type RecordedLine } from './recording.ts';

/** The command's options; absent: every line has its own. */
export type MsfDefaults = Readonly<Record<'league' | 'season' | 'feed', string | undefined>>;

/** Path and query of the push route, after the source. @throws BadLine */
export function msfRoute(defaults: MsfDefaults, { number, members }: RecordedLine): string {
  const said = (name: keyof MsfDefaults): string => {
    const text = members[name] ?? defaults[name];
    if (typeof text === 'string' && text !== '') return text;
    throw new BadLine(`line ${number}: its ${name} is missing: add a member ${name} to the line, or give --${name}`);
  };
  const league = said('league').toUpperCase();
  if (!isLeague(league)) throw new BadLine(`line ${number}: no league ${league}; use one of ${leagues.join(', ')}`);
  const feed = feedNamed(said('feed'));
  if (feed === null) throw new BadLine(`line ${number}: no feed ${said('feed')}; use one of ${msfFeeds.join(', ')}`);
  const path = `msf/${league}/${encodeURIComponent(said('season'))}/${feed}`;
  const { game } = members;
  return game === undefined || game === null ? path : `${path}?game=${encodeURIComponent(String(game))}`;
}
