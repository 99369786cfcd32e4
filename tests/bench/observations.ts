// o) How fast observations become revisions: growing play-by-play bodies are folded, planned and encoded as the
// revision projector does it, with ports that do nothing. The baseline parses and hashes the same elements in canonical
// form, in turns. A flush follows each poll of everything: one body of each game. Of a hundred games the partition
// packs most away between flushes, as in service.

import type { JsonObject, JsonValue } from '../../core/json/value.ts';
import { HeldScopes } from '../../projectors/revisions/held-scopes.ts';
import { RevisionsProjector } from '../../projectors/revisions/revisions-projector.ts';
import { sourceRevision } from '../support/builders/in-one-go.ts';
import { type Bench, type Run, short } from './bench.ts';
import { noCatalog, partitionAlone } from './flushed-partition.ts';
import { playByPlay, playsOfGame } from './msf-bodies.ts';
import { elementText, ObservedGame } from './observed-game.ts';
import type { Window } from './profile.ts';
import { Taken } from './taken.ts';

const playsOfOne = 500;

type Campaign = { games: number; plays: number; step: number };

export const observations: Bench = {
  letter: 'o',
  title: 'observations of MySportsFeeds to revisions',
  async run(run) {
    const plays = run.toy ? 40 : playsOfOne;
    await measure(run, { games: 3, plays, step: 20 }, false);
    await measure(run, { games: run.toy ? 2 : 15, plays, step: run.toy ? 20 : 50 });
    await measure(run, { games: run.toy ? 3 : 100, plays, step: run.toy ? 20 : 50 });
    const single = { games: run.toy ? 1 : 5, plays, step: 1 };
    await measure(run, single);
    if (!run.toy) await run.explain((window) => play(single, () => {}, window));
  },
};

async function measure(run: Run, campaign: Campaign, counts = true): Promise<void> {
  const { games, step } = campaign;
  run.say(counts ? `${games} games, ${step} plays a body` : 'warming up');
  const { observed, bytes, fold, bare, revisions } = await play(campaign, (share) => {
    if (counts) run.say(`${games} games, ${step} plays a body: ${Math.round(100 * share)} %`);
  });
  if (!counts) return;
  const rate = ({ seconds }: Taken) => observed / seconds;
  run.figure({
    what: `${games} games of ${campaign.plays} plays, ${step === 1 ? 'play by play' : `${step} plays more in each body`}: ${short(rate(fold))} observations/s to revisions ÷ only parsed and hashed ${short(rate(bare))}/s = ${(rate(fold) / rate(bare)).toFixed(2)}`,
  });
  const each = ({ cpuMs }: Taken) => (cpuMs / observed).toFixed(2);
  run.note([
    `${short(observed)} bodies of ${(bytes / observed / 1024).toFixed(0)} KB, ${short(revisions)} revisions; CPU of one ${each(fold)} ms, parsed and hashed ${each(bare)} ms: ${(bare.cpuMs / fold.cpuMs).toFixed(2)}`,
  ]);
}

/** Folds the games from their first play to their last. */
async function play({ games, plays, step }: Campaign, progress: (share: number) => void, window?: Window) {
  const observedGames = Array.from({ length: games }, (_, game) => ({
    game: new ObservedGame(game),
    plays: playsOfGame(plays, game),
  }));
  const scopes = new HeldScopes();
  const partition = await partitionAlone(new RevisionsProjector(noCatalog, 0, scopes));
  const [fold, bare] = [new Taken(), new Taken()];
  let [observed, bytes] = [0, 0];
  let nextWord = 0;
  window?.begin();
  for (let length = step; length <= plays; length += step) {
    const records = observedGames.map(({ game, plays: all }) =>
      game.observe('playbyplay', bodyOf(game, all.slice(0, length))),
    );
    const texts = records.map(elementText);
    if (window === undefined) await bare.by(() => hashAll(texts));
    await fold.by(async () => {
      partition.fold(records);
      await partition.flush();
    });
    observed += records.length;
    bytes += texts.reduce((sum, text) => sum + text.length, 0);
    if (length < nextWord) continue;
    nextWord = length + plays / 4;
    progress(length / plays);
  }
  window?.end();
  return { observed, bytes, fold, bare, revisions: headsOf(scopes) };
}

function bodyOf({ id }: ObservedGame, plays: readonly JsonObject[]): JsonObject {
  return playByPlay(id, plays, 'LIVE');
}

function hashAll(texts: readonly string[]): void {
  for (const text of texts) sourceRevision(JSON.parse(text) as JsonValue);
}

/** How many revisions were cut: each stream's head is the number of its revisions. */
function headsOf(scopes: HeldScopes): number {
  let heads = 0;
  for (const uuid of scopes.uuids) for (const { head } of scopes.look(uuid)?.streams.values() ?? []) heads += head;
  return heads;
}
