// Bodies of the push gateway (docs/operations.md#push-gateway): what clients push, for the API description, and what it answers. Pushed
// bodies are documentation only: the adapters read them element by element and ignore unknown members.
import { z } from 'zod';
import { inWords, leagues, leagueTable } from '../reference/leagues.ts';
import { nativeEvent } from './native-event.ts';
import { degradedSince } from './service.ts';

export const nativeBody = z
  .looseObject({ events: z.array(nativeEvent) })
  .describe('As NDJSON: one event per line, without the array.');

const outcome = z.looseObject({ name: z.string(), price: z.number(), point: z.number().nullable().optional() });
export const oddsApiEvent = z.looseObject({
  id: z.string().min(1),
  sport_key: z.enum(leagues.map((league) => leagueTable[league].oddsApi)),
  commence_time: z.string(),
  home_team: z.string().min(1),
  away_team: z.string().min(1),
  bookmakers: z.array(
    z.looseObject({
      key: z.string(),
      last_update: z.string().nullable().optional(),
      markets: z.array(
        z.looseObject({
          key: z.string(),
          last_update: z.string().nullable().optional(),
          outcomes: z.array(outcome),
        }),
      ),
    }),
  ),
});
export const oddsApiBody = z
  .union([
    z.array(oddsApiEvent),
    z.looseObject({ timestamp: z.string().nullable().optional(), data: z.array(oddsApiEvent) }),
  ])
  .describe(
    'The array of events as The Odds API v4 gives it, or its historical wrapper. One event is one image of all its bookmakers.',
  );

const id = z.union([z.string(), z.number()]).describe("The source's own id.");
const text = z.string().nullable().optional();
const league = z.string().describe(`${inWords(leagues, 'or')}, in any case.`);
export const teamBody = z.looseObject({
  id,
  league,
  name: z.string(),
  abbreviation: text,
  aliases: z.array(z.string()).nullable().optional(),
  city: text,
  nickname: text,
  conference: text,
  division: text,
  is_active: z.boolean().nullable().optional(),
});
export const playerBody = z.looseObject({
  id,
  league,
  first_name: text,
  last_name: z.string(),
  position: text,
  jersey_number: z
    .union([z.string().regex(/^[0-9]{1,3}$/), z.int().min(0).max(999)])
    .nullable()
    .optional(),
  team_id: id.nullable().optional(),
  team: text,
  player_id: text.describe('UUID of the player in this service, if the source knows it.'),
  is_active: z.boolean().nullable().optional(),
});
export const venueBody = z.looseObject({ id, league, name: z.string(), city: text, country: text });
export const referenceBody = z
  .union([
    z.looseObject({ teams: z.array(teamBody) }),
    z.looseObject({ players: z.array(playerBody) }),
    z.looseObject({ venues: z.array(venueBody) }),
  ])
  .describe(
    'Exactly one of the three lists. Each element replaces everything that the source reported under the same id.',
  );

export const msfBody = z.looseObject({}).describe('A body of MySportsFeeds v2.x as it was received.');

export const tickBody = z.looseObject({ at: z.string().describe('RFC 3339.') });

export const rejection = z.strictObject({
  index: z.int().describe('Index of the element in the push, from 0.'),
  pointer: z.string().describe('JSON pointer from the element to the refused part; empty: all of it.'),
  code: z
    .string()
    .describe('The reason, for programs: `bad-price`, `forbidden-league` … A code never changes its meaning.'),
  detail: z.string().describe('Why, for people.'),
});

const rejected = z
  .array(rejection)
  .describe(
    'What was refused; its neighbours went on. Each is kept as a dead letter, but for those that `letters_not_kept` counts.',
  );
const rejectedMore = z.int().describe('How many refusals are not listed.');
const lettersNotKept = z
  .int()
  .describe(
    "How many of the refusals are no dead letter, because the key's quota of the UTC day has no room for them.",
  );

const listedBytes = 'The first mebibyte of them is listed.';

export const namedGame = z.strictObject({
  index: z.int().describe('Index of the first accepted element that names the game so.'),
  event_id: z
    .string()
    .nullable()
    .describe("The source's own id of the game; null where the element names it by `game_id`."),
  game_id: z.string().describe('Public game id, under which the API serves it; the UUID while it is not minted.'),
  minted: z.boolean().describe('Whether the game has its public id: false where a team is unknown.'),
});

export const warning = z.strictObject({
  index: z.int().describe('Index of the element in the push, from 0.'),
  pointer: z.string().describe('JSON pointer from the element to what is probably a mistake.'),
  code: z
    .enum(['foreign-market', 'team-as-selection', 'prices-disagree', 'unknown-team', 'second-game'])
    .describe(
      '`foreign-market`: a market of another vocabulary. `team-as-selection`: a selection that is the name of a team. `prices-disagree`: a second format of a price says another price. `unknown-team`: a name is no team, so the game is not minted. `second-game`: the event founds a second game of the same teams and day.',
    ),
  detail: z.string().describe('What is probably meant, for people.'),
});

export const pushAnswer = z.strictObject({
  receipt: z.string().nullable().describe('What `GET /v1/receipts/{receipt}` takes for 24 hours; null: there is none.'),
  accepted: z.int().describe('Elements stored durably in the log.'),
  duplicates: z.int().describe('For a repeated `Idempotency-Key`: what its first push had accepted.'),
  rejected,
  rejected_more: rejectedMore.optional(),
  letters_not_kept: lettersNotKept.optional(),
  games: z
    .array(namedGame)
    .optional()
    .describe(
      `The games of a push of quotes, each once by the name that its elements give it. ${listedBytes} Left out where the push repeats another under its \`Idempotency-Key\`.`,
    ),
  games_more: z.int().optional().describe('How many games are not listed.'),
  warnings: z
    .array(warning)
    .optional()
    .describe(
      `What of the accepted elements is probably a mistake; with \`strict=true\` it is refused instead. ${listedBytes} Left out where \`games\` is.`,
    ),
  warnings_more: z.int().optional().describe('How many warnings are not listed.'),
});

/** Members that the gateway adds to problems of these types. */
export const pushProblemMembers = {
  'validation-error': z.object({
    rejected: rejected.optional(),
    rejected_more: rejectedMore.optional(),
    letters_not_kept: lettersNotKept.optional(),
  }),
  'payload-too-large': z.object({ rejected: rejected.optional() }),
  'rate-limited': z.object({
    quota: z.literal('bytes').optional().describe('The quota of a UTC day that the push would exceed.'),
    most: z.int().optional().describe('The amount of the quota.'),
    used: z.int().optional().describe('How much of it is used.'),
    resets: z.string().optional().describe('When it resets: the next midnight UTC, RFC 3339.'),
  }),
} as const;

export const receipt = z.strictObject({
  receipt: z.string(),
  source: z.string(),
  received_at: z.string(),
  state: z.enum(['logged', 'applied']).describe('`applied`: every record is folded, and readers see it.'),
  counts: z.strictObject({
    accepted: z.int().describe('Elements stored in the log.'),
    applied: z.int().describe('Of these, how many the folds have applied.'),
    duplicates: z.int().describe('Of these, how many were there before.'),
    refused: z
      .int()
      .describe(
        'What was refused of the push: the elements and quotes that the gateway lists in `rejected`, the records that the folds refused, and the quotes of applied records that they refused.',
      ),
  }),
  rejected: z.array(rejection).describe('What the gateway refused, as the answer to the push listed it.'),
  rejected_more: rejectedMore.optional(),
  records: z
    .array(
      z.strictObject({
        index: z.int(),
        state: z.enum(['applied', 'duplicate', 'refused']),
        game_id: z.string().nullable(),
        seq: z.int().nullable(),
        rows: z.int().nullable(),
        revisions: z.array(z.strictObject({ dataset: z.string(), epoch: z.string(), revision: z.int() })),
        refusals: z.array(z.strictObject({ pointer: z.string(), code: z.string() })),
      }),
    )
    .describe('The first 1,000 records that were not simply applied, or that cut revisions.'),
});

export const gatewayHealth = z.strictObject({
  status: z.enum(['ok', 'degraded']),
  degraded: z
    .array(z.string())
    .describe('Unreachable dependencies, such as `catalog` and `log`, and what keeps pushes from becoming visible.'),
  since: degradedSince,
  instance: z.string().optional().describe('The process: another one, and each start, has another name.'),
});

export const gatewayProblemPage = z.strictObject({
  statuses: z.array(z.int()),
  title: z.string(),
  meaning: z.string(),
  remedy: z.string(),
});
