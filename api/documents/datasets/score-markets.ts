// How selections are graded on the score, in a bettor's terms (docs/settlement.md#team-markets).

type ScoreMarket = {
  readonly market: string;
  readonly selections: readonly string[];
  readonly wins: string;
  readonly push: string;
  /** The meaning of `result_value`. */
  readonly value: string;
};

export const scoreMarkets: readonly ScoreMarket[] = [
  {
    market: 'moneyline',
    selections: ['home', 'away'],
    wins: 'its team scores more than the other',
    push: 'both score the same; but `ungraded` where a `draw` of the same period was quoted: operators differ',
    value: 'its score − the other score',
  },
  {
    market: 'moneyline',
    selections: ['draw'],
    wins: 'both score the same',
    push: 'never',
    value: 'home score − away score',
  },
  {
    market: 'spread',
    selections: ['home', 'away'],
    wins: 'its score + the line is above the other score',
    push: 'its score + the line is the other score',
    value: 'its score − the other score, without the line',
  },
  {
    market: 'total',
    selections: ['over'],
    wins: 'both scores together are above the line',
    push: 'both scores together are the line',
    value: 'both scores together',
  },
  {
    market: 'total',
    selections: ['under'],
    wins: 'both scores together are below the line',
    push: 'both scores together are the line',
    value: 'both scores together',
  },
  {
    market: 'team_total',
    selections: ['home_over', 'away_over'],
    wins: "that team's score is above the line",
    push: "that team's score is the line",
    value: "that team's score",
  },
  {
    market: 'team_total',
    selections: ['home_under', 'away_under'],
    wins: "that team's score is below the line",
    push: "that team's score is the line",
    value: "that team's score",
  },
];
