// Bodies of the reference routes: the player comes from the interface, team and league are docs/interface.md#team.
import { z } from 'zod';
import { leagues } from '../reference/leagues.ts';
import { pageOf } from './page.ts';

export const team = z.strictObject({
  id: z.uuid().describe('Canonical team UUID, as in games and players.'),
  league: z.enum(leagues),
  name: z.string().describe('Canonical name, as in the `team` filter of the games.'),
  abbreviation: z.string().describe('As in public game ids.'),
  city: z.string().nullable().describe('Null when unknown, and for teams without a city.'),
  nickname: z.string().nullable(),
  conference: z.string().nullable(),
  division: z.string().nullable(),
  is_active: z.boolean(),
});
export type TeamDocument = z.infer<typeof team>;
export const teamsPage = pageOf(team);

export const player = z.strictObject({
  id: z.uuid().describe('Canonical player UUID.'),
  league: z.enum(leagues),
  first_name: z.string(),
  last_name: z.string(),
  position: z.string().nullable().describe('Position code such as PG or QB; null when unknown.'),
  jersey_number: z.int().nullable().describe('Null when unknown.'),
  current_team_id: z.uuid().nullable().describe('Null for free agents.'),
  is_active: z.boolean().describe('False once the player is out of the league.'),
});
export type PlayerDocument = z.infer<typeof player>;
export const playersPage = pageOf(player);

export const league = z.strictObject({
  id: z.enum(leagues),
  name: z.string(),
  sport: z.string(),
  is_active: z.boolean(),
  datasets: z.array(z.string()).describe('Names of the datasets that are served for the league.'),
});
export type LeagueDocument = z.infer<typeof league>;
export const leaguesPage = pageOf(league);
