// The native event of the push gateway (docs/quotes.md#the-native-event), for its API description. Documentation only: the adapter reads
// each event itself and ignores unknown members. `null` and absent are equivalent.
import { z } from 'zod';
import { leagues } from '../reference/leagues.ts';

const time = z.string().describe('RFC 3339, up to microseconds.');
const name = z.string().min(1).max(256);
const marketName = z.string().regex(/^[a-z0-9_]{1,64}$/);

export const gameByEvent = z.looseObject({
  league: z.enum(leagues),
  event_id: name.describe("The source's own id of the game: the same id means the same game."),
  home_team: name.describe('Name, abbreviation or alias; case does not count.'),
  away_team: name,
  commence_time: time.describe('Scheduled start, RFC 3339, 1970 to 2199.'),
});

const gameById = z.looseObject({
  game_id: name.describe('Public game id, or UUID.'),
  commence_time: time.nullable().optional(),
});

const price = z
  .looseObject({
    american: z
      .union([z.int().min(-1_000_000).max(-100), z.int().min(100).max(1_000_000)])
      .nullable()
      .optional(),
    decimal: z.number().min(1.000_05).max(10_001).nullable().optional(),
    fractional: z
      .string()
      .regex(/^[0-9]+\/[0-9]+$/)
      .nullable()
      .optional(),
  })
  .describe('In one format. If there are several, American counts first, then decimal.');

export const nativeQuote = z.looseObject({
  market: marketName.describe('`moneyline`, `spread`, `total`, `team_total`, `player_points` …'),
  period: marketName.nullable().optional().describe('Default: `full`.'),
  selection: z.string().min(1).describe('`home`, `away`, `draw`, `over`, `under`, `home_over` …'),
  player: z.string().min(1).nullable().optional(),
  player_id: z.string().nullable().optional().describe("UUID, or the source's own id; beside `player`."),
  line: z
    .number()
    .min(-99_999.999)
    .max(99_999.999)
    .nullable()
    .optional()
    .describe('At most 3 decimals. Required for an open spread, total or team total.'),
  alternate: z
    .boolean()
    .nullable()
    .optional()
    .describe('For a market with several lines at once: the line is part of the selection.'),
  price: price.nullable().optional().describe('Required for an open quote, optional for a suspended one.'),
  state: z
    .enum(['open', 'suspended', 'withdrawn'])
    .nullable()
    .optional()
    .describe('Default: `open`; `withdrawn` only in a delta.'),
  source_timestamp: time.nullable().optional(),
});

export const nativeEvent = z
  .looseObject({
    kind: z
      .enum(['image', 'delta', 'heartbeat'])
      .describe(
        '`image`: the whole offer within `markets`; selections that it leaves out twice are withdrawn. `delta`: only what it names. `heartbeat`: the quotes still stand, no change.',
      ),
    operator: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,32}$/)
      .describe('Code of the sportsbook, in any case.'),
    game: z.union([gameByEvent, gameById]),
    in_play: z.boolean().nullable().optional(),
    markets: z.array(z.string()).nullable().optional().describe('What an image covers; default: everything.'),
    observed_at: time
      .nullable()
      .optional()
      .describe('When it was seen, if that is not now: requires the scope `backfill`.'),
    quotes: z
      .array(nativeQuote)
      .max(5_000)
      .nullable()
      .optional()
      .describe('For an image or delta; a heartbeat has none.'),
  })
  .describe('One sportsbook in one game. At most 900,000 bytes.');

/** The event on its own, in the dialect that it names. */
export const schemaOfNativeEvent = z.toJSONSchema(nativeEvent, { io: 'input' });
