// The games of cases that share one service: no two have the same pair of teams, in either order.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { League } from '../../../schemas/reference/leagues.ts';
import { uuid5 } from '../../oracle/games.ts';

export type StagedGame = {
  id: string;
  league: League;
  number: number;
  msfId: number;
  /** The source of the game's quotes. */
  source: string;
  home: string;
  away: string;
  /** A team that does not play in this game. */
  elsewhere: string;
  start: string;
};

const teamsFile = new URL('../../vectors/teams.csv', import.meta.url);

function teamsOf(league: League): readonly string[] {
  if (league === 'NCAAM') return Array.from({ length: 30 }, (_, index) => `STAGE${index}`);
  const lines = readFileSync(teamsFile, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith(`${league},`)).map((line) => line.split(',')[1] as string);
}

/** Hands out games to the cases of one service. */
export class StagedGames {
  readonly #given = new Map<League, number>();
  #number = 0;

  /** Each game takes teams three places further on, so that the first ten of a league share no team. */
  next(league: League, start: string): StagedGame {
    const teams = teamsOf(league);
    const given = this.#given.get(league) ?? 0;
    this.#given.set(league, given + 1);
    this.#number += 1;
    const [first, round] = [(given * 3) % teams.length, Math.floor((given * 3) / teams.length)];
    const team = (index: number) => teams[(first + index) % teams.length] as string;
    const [home, away, elsewhere] = [team(0), team(1 + 3 * round), team(2)];
    // Eastern Time is five hours behind UTC in winter. No case begins in the hour for which summer time matters.
    const day = new Date(Date.parse(start) - 5 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '');
    const number = this.#number;
    const id = `${league}_${away}_${home}_${day}`;
    return { id, league, number, msfId: 700_000 + number, source: `case-${number}`, home, away, elsewhere, start };
  }
}

/** MSF's id of a player whom a case names by a word or a number. */
export function msfPlayer(game: StagedGame, name: string | number): number {
  const digest = createHash('sha256').update(String(name)).digest();
  return game.number * 1_000_000 + (digest.readUInt32BE(0) % 1_000_000);
}

/** The canonical id of that player (docs/revisions.md#ids). */
export function playerOf(game: StagedGame, name: string | number): string {
  return uuid5(`msf/player/${game.league}/${msfPlayer(game, name)}`);
}
