// The recorded schedule of the NBA season 2017-18 with its final scores.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../core/json/value.ts';
import { msfRecordings } from './msf-recordings.ts';

type Season = JsonObject & {
  lastUpdatedOn: string;
  games: {
    schedule: JsonObject & {
      id: number;
      startTime: string;
      awayTeam: { abbreviation: string };
      homeTeam: { abbreviation: string };
    };
    score: JsonObject & { awayScoreTotal: number; homeScoreTotal: number };
  }[];
};

let read: Season | undefined;

export function season(): Season {
  read ??= msfRecordings().find(({ name }) => name.includes('seasonal_games'))?.body as unknown as Season | undefined;
  return read ?? assert.fail('no season');
}

/** The final score, away and home. */
export function seasonScore(msfGameId: number): [number, number] {
  const { score } =
    season().games.find(({ schedule }) => schedule.id === msfGameId) ?? assert.fail(`no game ${msfGameId}`);
  return [score.awayScoreTotal, score.homeScoreTotal];
}
