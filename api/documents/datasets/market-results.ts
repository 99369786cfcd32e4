// The chapters about market-results: the grading rules, in a bettor's terms (docs/settlement.md#market-results).
import { inWords, leaguesOf, type Sport } from '../../../schemas/reference/leagues.ts';
import { type Chapter, codes } from './chapter.ts';
import { periodTable, regularParts } from './graded-periods.ts';
import { playerMarketTables } from './player-markets.ts';
import { quarterLineTable } from './quarter-lines.ts';
import { reasonTable } from './result-reasons.ts';
import { scoreMarkets } from './score-markets.ts';

const leaguesIn = (sport: Sport) => inWords(leaguesOf(sport), 'and');
const [basketball, baseball, hockey] = [leaguesIn('basketball'), leaguesIn('baseball'), leaguesIn('ice hockey')];

export const marketResultsChapters: readonly Chapter[] = [
  {
    id: 'rows',
    title: 'What a row is',
    blocks: [
      'One row for each selection and line that could be bet at any operator at any time of the game. Operators that quoted the same selection and line share the row: prices play no part in it. To grade the lines of an operator, join its rows of `closing-lines` or `sportsbook-lines` on `selection_id` and `line`.',
      'A result is never guessed. What the scores and statistics do not decide is `ungraded`, and `result_reason` says why.',
      {
        headings: ['`result`', 'What it means for a bet'],
        rows: [
          ['`win`', 'It wins.'],
          ['`loss`', 'It loses.'],
          ['`push`', 'The number is exactly the line, or the score is level: the stake is returned.'],
          ['`half_win`', 'Half of the stake wins, the other half is returned. Only at quarter lines.'],
          ['`half_loss`', 'Half of the stake loses, the other half is returned. Only at quarter lines.'],
          ['`void`', 'It does not count: the stake is returned. `result_reason` says why.'],
          ['`ungraded`', 'The evidence does not decide it. `result_reason` says why; a later version may grade it.'],
        ],
      },
    ],
  },
  {
    id: 'score-markets',
    title: 'Markets on the score',
    blocks: [
      {
        headings: ['Market', 'Selection', 'Wins if', 'Push if', '`result_value`'],
        rows: scoreMarkets.map(({ market, selections, wins, push, value }) => [
          `\`${market}\``,
          codes(selections),
          wins,
          push,
          value,
        ]),
      },
      'In every other case it loses. The score is that of the period of the market. Lines count exactly, to the last digit. `result_value` has three places and is null where the row is void or ungraded.',
    ],
  },
  {
    id: 'quarter-lines',
    title: 'Quarter lines',
    blocks: [
      'A line that ends in .25 or .75 is two bets of half the stake: one on the line a quarter below it, one on the line a quarter above it. Win and win is `win`, win and push `half_win`, loss and push `half_loss`, loss and loss `loss`.',
      quarterLineTable,
    ],
  },
  {
    id: 'periods',
    title: 'Periods',
    blocks: [
      periodTable,
      'The final score has overtime, extra innings and a shoot-out in it. `regulation`, `q4` and `p3` are without overtime; the second half is with it.',
      `All periods but \`full\` need period scores. These count only if they add up to the final score and no regular period is missing; else the row is \`ungraded\`, reason \`no_period_scores\`. A home team in ${baseball} that leads after eight and a half innings does not bat in the ninth: its ninth is 0. A shoot-out in ${hockey} adds one goal to the final score that no period has.`,
    ],
  },
  {
    id: 'shortened-games',
    title: 'Shortened games',
    blocks: [
      `A game is shortened when its period scores add up to the final score and are fewer than the regular periods: ${regularParts()}. In ${baseball} a home team that leads needs one less.`,
      {
        headings: ['Bet', 'In a shortened game'],
        rows: [
          [
            `${baseball} \`moneyline\`, \`full\``,
            'Graded on the score once five innings were played: four and a half where the home team leads. Else `void`.',
          ],
          ['A period that was played out: a later one has a score', 'Graded.'],
          [
            '`total`, `team_total`',
            'Graded where the number is above the line already (quarter lines: above the line + 0.25), since no further play could take it back: over wins, under loses. Of other periods than `full` only where they had begun.',
          ],
          ['Player markets with a line', 'Likewise, but never those on yards (`…_yds`): yards can be lost again.'],
          ['Player markets `yes`, `no`', 'Graded where the value is 1 or more: `yes` wins, `no` loses.'],
          ['Everything else', '`void`, reason `shortened`.'],
        ],
      },
    ],
  },
  {
    id: 'player-markets',
    title: 'Player markets',
    blocks: [
      'Only of the whole game, `full`. The value is counted from the statistics of this game in `player-stats`. A statistic that no player of the game has makes the market `ungraded`; one that only this player lacks is 0.',
      {
        headings: ['Selection', 'Wins if', 'Push if', '`result_value`'],
        rows: [
          ['`over`', 'the value is above the line', 'the value is the line', 'the value'],
          ['`under`', 'the value is below the line', 'the value is the line', 'the value'],
          ['`yes`', 'the value is 1 or more', 'never', 'the value'],
          ['`no`', 'the value is below 1', 'never', 'the value'],
        ],
      },
      ...playerMarketTables,
      {
        headings: ['Did not play', 'The row is void if'],
        rows: [
          ['all leagues', 'the game has statistics of players of both teams, and none of this player'],
          [basketball, 'the game has minutes played, and those of this player are 0'],
          [
            `${baseball}, \`batter_…\``,
            'the player had no plate appearance; where the game does not tell plate appearances, no at-bat',
          ],
          [`${baseball}, \`pitcher_…\``, 'no pitching statistic of the player is other than 0'],
        ],
      },
      'A player of whom every statistic is 0 may stand in the statistics only because he was on the list: such a row is `ungraded`, reason `participation_unknown`.',
    ],
  },
  {
    id: 'players-by-name',
    title: 'Which player it is',
    blocks: [
      'The player is the one of `player_id`. Where quotes named a player without one, the player is found by name. Accents, capitals, apostrophes, dots and a last word such as `jr` or `iii` do not count, and a hyphen is a space. Exactly one of the players with statistics in this game must have the name. Where none of them has it and exactly one player of the two teams does, as MySportsFeeds lists them, that player did not play. A player who was found once stays found in later versions.',
    ],
  },
  {
    id: 'reasons',
    title: 'Why a row is void or ungraded',
    blocks: ['Of several reasons the file shows the first in this order.', reasonTable],
  },
  {
    id: 'evidence',
    title: 'What a grade rests on',
    blocks: [
      {
        headings: ['`settlement_source`', 'The evidence', '`settled_at`'],
        rows: [
          [
            '`game-state/<epoch>/<revision>`',
            'The final score of this revision of `game-state`, once it reports the game as completed.',
            'its `source_updated_at`',
          ],
          [
            '`player-stats/<epoch>/<revision>`',
            'The statistics of this revision of `player-stats`.',
            'its `source_updated_at`',
          ],
          [
            '`manual/<audit id>`',
            'A score that was entered by hand. It stands before that of `game-state` until it is taken back.',
            'when it was entered',
          ],
          ['`status/CANCELLED`', 'The game was cancelled.', 'when the source reported it'],
        ],
      },
      'An ungraded row, and one that is void because the game was shortened, names the evidence of the score. The rules are named in the file too: its key-value metadata has `sds.ruleset` = `sds-us-1`.',
    ],
  },
];
