// The NBA games that a drill plays: five recorded ones or, in a clone without recordings, five made-up ones with as
// many plays.
import { publicIdBase } from '../../../core/games/public-id.ts';
import { type Body, type RecordedGame, recordedGames } from '../recordings/played-back.ts';

const count = 5;
const pairs = [
  ['BOS', 'CLE'],
  ['HOU', 'GSW'],
  ['MIL', 'ATL'],
  ['DAL', 'CHI'],
  ['DEN', 'UTA'],
] as const;
const startTime = '2017-10-18T00:00:00.000Z';
const playsOfQuarter = 110;

export function nbaGames(): RecordedGame[] {
  const recorded = recordedGames().filter(({ league }) => league === 'NBA');
  return recorded.length >= count
    ? recorded.slice(0, count)
    : pairs.map(([away, home], index) => madeUp(away, home, index));
}

/** Makes up a game in the form of a recorded one. */
export function madeUp(away: string, home: string, index: number): RecordedGame {
  const msfGameId = 900_001 + index;
  const whole: Body = {
    lastUpdatedOn: startTime,
    game: {
      id: msfGameId,
      startTime,
      awayTeam: { id: 82 + 2 * index, abbreviation: away },
      homeTeam: { id: 83 + 2 * index, abbreviation: home },
      scheduleStatus: 'NORMAL',
      playedStatus: 'LIVE',
    },
    plays: Array.from({ length: 4 * playsOfQuarter }, (_, number) => ({
      description: `Play ${number + 1} of ${away} at ${home}`,
      violation: { team: null },
      playStatus: {
        quarter: 1 + Math.floor(number / playsOfQuarter),
        secondsElapsed: 6 * (number % playsOfQuarter),
      },
    })),
  };
  const gameId = publicIdBase('NBA', away, home, Date.parse(startTime) * 1_000);
  return { name: `made up ${index + 1}`, league: 'NBA', gameId, msfGameId, whole };
}
