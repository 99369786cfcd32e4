// Claim: a status by hand moves the game when it is first in the log, whatever the clocks of the databases say that it was given by; told again
// by the forwarder it moves nothing, whatever the feeds have said since and wherever the scope was saved between; what comes behind it is judged
// as if it had been told once. A violation would need a copy to be known by anything but what it says, or statuses to be ordered by a clock.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import type { GameStatus } from '../../../../core/games/status.ts';
import { movesByHand } from '../../../../core/games/status-moves.ts';
import { loadScope, saveScope } from '../../../../core/msf/streams/saved-scope.ts';
import { type Micros, microsPerHour, microsPerSecond } from '../../../../core/units.ts';
import type { ObservationsRecord } from '../../../../schemas/events/observations.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { scopesOf } from '../../../support/arbitraries/msf.ts';
import { bodyOf, gameObject } from '../../../support/builders/msf-bodies.ts';
import { type Folded, frameOf, observationRecord, PureMsf } from '../../../support/folds/msf-log.ts';

const { game } = scopesOf('NBA');
const start: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;

type Step =
  | { kind: 'feed'; played: string }
  /**
   * The administrator gives an allowed status, with a clock that is wrong by `wrongBy`. The log gets its record at once
   * or after the next steps.
   */
  | { kind: 'hand'; choice: number; delay: number; wrongBy: Micros }
  /** The forwarder sends its last few records again, in order. */
  | { kind: 'again'; last: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('feed' as const), played: fc.constantFrom('UNPLAYED', 'LIVE', 'COMPLETED') }),
    fc.record({
      kind: fc.constant('hand' as const),
      choice: fc.nat(6),
      delay: fc.constantFrom(0, 0, 1, 2),
      wrongBy: fc.constantFrom(0, -microsPerHour, -1, microsPerHour),
    }),
    fc.record({ kind: fc.constant('again' as const), last: fc.integer({ min: 1, max: 3 }) }),
  ),
  { minLength: 3, maxLength: 25 },
);

type Logged = { record: ObservationsRecord; at: Micros; isAgain: boolean };

/** The log of the steps when the catalog follows the fold's moves. */
function logOf(taken: readonly Step[]): Logged[] {
  const msf = new PureMsf();
  const log: Logged[] = [];
  const hands: ObservationsRecord[] = [];
  const underWay: { record: ObservationsRecord; left: number }[] = [];
  let catalog: GameStatus = 'SCHEDULED';
  const append = (record: ObservationsRecord, at: Micros): void => {
    log.push({ record, at, isAgain: false });
    catalog = msf.fold(record, at).effects.move?.status ?? catalog;
    if (record.status !== null) hands.push(record);
  };
  for (const [nth, step] of taken.entries()) {
    const at = start + nth * microsPerSecond;
    if (step.kind === 'feed') append(pull(step.played, at), at);
    else if (step.kind === 'hand') {
      const allowed = movesByHand(catalog);
      const to = allowed[step.choice % allowed.length];
      if (to !== undefined) {
        const record = { ...frameOf(game), source: 'service', status: { from: catalog, to, at: at + step.wrongBy } };
        catalog = to;
        underWay.push({ record, left: step.delay });
      }
    } else for (const record of hands.slice(-step.last)) log.push({ record, at, isAgain: true });
    for (const each of underWay) each.left -= 1;
    // The forwarder sends them in order.
    while (underWay[0] !== undefined && underWay[0].left < 0) append(underWay.shift()!.record, at);
  }
  return log;
}

function pull(playedStatus: string, at: Micros): ObservationsRecord {
  const body = { games: [{ schedule: gameObject({ playedStatus }) }] };
  return observationRecord(game, { feed: 'games', requested: at, at, body: bodyOf(body) }, 900001, body);
}

/** `status`: the game's, after the record. */
type After = Folded & { status: GameStatus | null };

function foldAll(log: readonly Logged[], checkpoints: boolean): { folded: After[]; msf: PureMsf } {
  const msf = new PureMsf({ checkpoints });
  const folded = log.map(({ record, at }) => {
    const effects = msf.fold(record, at);
    return { ...effects, status: msf.scopes.get(game.uuid)?.status ?? null };
  });
  return { msf, folded };
}

it('a manual status moves the game once, however often its record is repeated', () => {
  let repeats = 0;
  fc.assert(
    fc.property(steps, fc.boolean(), (taken, checkpoints) => {
      const log = logOf(taken);
      const { folded, msf } = foldAll(log, checkpoints);
      const once = log.filter(({ isAgain }) => !isAgain);
      const plain = foldAll(once, false);
      for (const [at, { record, isAgain }] of log.entries()) {
        const effects = folded[at]?.effects;
        if (!isAgain && record.status !== null) assert.equal(folded[at]?.status, record.status.to);
        if (!isAgain) continue;
        repeats += 1;
        assert.deepEqual([effects?.move, effects?.touched, effects?.refusals], [null, [], []]);
      }
      assert.deepEqual(
        folded.flatMap(({ effects: { move, refusals } }, at) => (log[at]?.isAgain ? [] : [{ move, refusals }])),
        plain.folded.map(({ effects: { move, refusals } }) => ({ move, refusals })),
      );
      const ofGame = ({ scopes }: PureMsf) => {
        const state = scopes.get(game.uuid);
        return [state?.status, state?.toldStatus, state?.completedAt];
      };
      assert.deepEqual(ofGame(msf), ofGame(plain.msf));
    }),
    { numRuns: cases(300) },
  );
  assert.ok(repeats > cases(100), `${repeats} were sent again`);
});

it('a scope saved by a release without manual statuses takes the next one', () => {
  const msf = new PureMsf();
  msf.fold(pull('LIVE', start), start);
  const { hands: _, ...saved } = saveScope(msf.scopes.get(game.uuid)!) as { hands: unknown };
  msf.scopes.set(game.uuid, loadScope(JSON.parse(JSON.stringify(saved))));
  const hand = (from: GameStatus, to: GameStatus, at: Micros) => {
    return msf.fold({ ...frameOf(game), source: 'service', status: { from, to, at } }, at);
  };
  hand('STARTED', 'SUSPENDED', start + 1);
  assert.equal(msf.scopes.get(game.uuid)?.status, 'SUSPENDED');
  hand('SUSPENDED', 'CANCELLED', start + 2);
  assert.equal(msf.scopes.get(game.uuid)?.status, 'CANCELLED');
});

it('a status from a clock that is ahead does not block a later one', () => {
  const msf = new PureMsf();
  const hand = (from: GameStatus, to: GameStatus, at: Micros, logged: Micros) =>
    msf.fold({ ...frameOf(game), source: 'service', status: { from, to, at } }, logged);
  hand('SCHEDULED', 'STARTED', Number.MAX_SAFE_INTEGER, start);
  hand('STARTED', 'CANCELLED', start + 1, start + 1);
  assert.equal(msf.scopes.get(game.uuid)?.status, 'CANCELLED');
});

it('no more manual statuses are kept than the forwarder may publish again', () => {
  const msf = new PureMsf();
  const given = Array.from({ length: 1_500 }, (_, nth) => {
    const [from, to] = nth % 2 === 0 ? ['STARTED', 'SUSPENDED'] : ['SUSPENDED', 'STARTED'];
    return { ...frameOf(game), source: 'service', status: { from: from!, to: to!, at: start + nth } };
  });
  for (const record of given) msf.fold(record, start);
  assert.equal(msf.scopes.get(game.uuid)?.hands.length, 1_000);
  for (const record of given.slice(-1_000)) msf.fold(record, start);
  assert.deepEqual(msf.scopes.get(game.uuid)?.hands.at(-1), given.at(-1)?.status);
  assert.equal(msf.scopes.get(game.uuid)?.hands.length, 1_000);
});
