// Records of the quotes topic for tests of the log: small ones that carry a number, and full ones with every member
// set.
import type { Observation, QuotesRecord, RawQuote } from '../../../schemas/events/quotes.ts';

export const gameUuids = Array.from({ length: 16 }, (_, index) => {
  return `0f0e0d0c-0b0a-4009-8807-${String(index).padStart(12, '0')}`;
});

const bare: QuotesRecord = {
  game_uuid: '',
  game_id: '',
  league: '',
  source: '',
  received_at: null,
  push: null,
  push_index: null,
  rank: null,
  observation: null,
  start: null,
  status: null,
  owner: null,
  tick: null,
  settle: null,
  rebuild: null,
  outbox_id: null,
};

/** A tick that carries `number`: the smallest record. */
export function tick(number: number, gameUuid = gameUuids[0] as string): QuotesRecord {
  return { ...bare, game_uuid: gameUuid, tick: { at: number } };
}

/** The number that a tick carries. */
export function numberOf(value: unknown): number {
  const record = value as QuotesRecord;
  if (record?.tick === null || record?.tick === undefined) throw new Error('the record has no tick');
  return record.tick.at;
}

/** `count` quotes as a feed of 30 markets would send them. */
export function quotes(count: number, seed = 0): RawQuote[] {
  return Array.from({ length: count }, (_, index): RawQuote => {
    const player = index % 4 === 3 ? `Player Name ${index}` : null;
    return {
      market: ['h2h', 'spreads', 'totals', 'player_points'][index % 4] as string,
      period: 'full',
      selection: ['home', 'away', 'over', 'under'][index % 4] as string,
      player,
      player_id: null,
      line: index % 2 === 0 ? null : String(index / 2),
      alternate: false,
      american: String(-110 - ((index + seed) % 50)),
      decimal: null,
      fractional: null,
      state: null,
      source_timestamp: 1_760_000_000_000_000 + seed,
    };
  });
}

/** An image of `count` quotes of one operator. */
export function image(gameUuid: string, count: number, seed = 0): QuotesRecord {
  const observation: Observation = {
    kind: 'image',
    scope: 'operator',
    observed_at: null,
    record_id: null,
    sha256: 'ab'.repeat(32),
    commence_time: 1_760_000_000_000_000,
    in_play: true,
    history: false,
    coverage: null,
    covered_operators: null,
    operators: [{ operator: 'DRAFTKINGS', quotes: quotes(count, seed) }],
  };
  const game_id = 'NBA_BOS_LAL_20260105';
  return { ...bare, game_uuid: gameUuid, game_id, league: 'NBA', source: 'demo', received_at: seed, observation };
}

/** Every member set at once (which no real record has), with texts and numbers at their limits. */
export function everything(gameUuid: string): QuotesRecord {
  const [quote] = quotes(1) as [RawQuote];
  return {
    game_uuid: gameUuid,
    game_id: 'NCAAM_A_B_20260101_2',
    league: 'NCAAM',
    source: 'Zażółć gęślą jaźń 🏀 \u0000 "quoted" \\ é',
    received_at: Number.MAX_SAFE_INTEGER - 1,
    push: '',
    push_index: 2_147_483_647,
    rank: -2_147_483_648,
    observation: {
      kind: 'delta',
      scope: 'game',
      observed_at: -(2 ** 52),
      record_id: '__proto__',
      sha256: null,
      commence_time: -1,
      in_play: false,
      history: true,
      coverage: [
        { market: 'h2h', period: null, alternate: null },
        { market: '', period: 'h1', alternate: true },
      ],
      covered_operators: ['A', ''],
      operators: [
        { operator: 'X', quotes: [] },
        {
          operator: 'Y',
          quotes: [{ ...quote, player: '李小龍', player_id: 'é', decimal: '1.90', fractional: '10/11', state: 'open' }],
        },
      ],
    },
    start: { scheduled_start: 0, from_schedule: true },
    status: { status: 'STARTED', at: 1 },
    owner: { operator: 'Z', owner_source: 's' },
    tick: { at: 4_294_967_296 },
    settle: { actor: '\u0000 é' },
    rebuild: { generation: 2_147_483_647 },
    outbox_id: 2 ** 53 - 1,
  };
}
