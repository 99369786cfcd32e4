// Recorded play-by-plays as if they were live: bodies that grow a few plays at a time, the complete one, the same with
// a play inserted, deleted and corrected, and the complete one twice more. The result must be that of folding the
// bodies one by one.

import { publicIdBase } from '../../../core/games/public-id.ts';
import { referenceDirectory } from '../../../core/games/teams.ts';
import type { JsonObject } from '../../../core/json/value.ts';
import { elementOf } from '../../../core/msf/bodies/element.ts';
import { gameUuid } from '../../../core/msf/ids.ts';
import type { CutRevision, Scope } from '../../../core/msf/types.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { observationRecord, PureMsf } from '../folds/msf-log.ts';
import { msfRecordings } from './msf-recordings.ts';

type Play = JsonObject & { playStatus: { quarter: number; secondsElapsed: number } };
const teams = referenceDirectory();

type Team = { id: number; abbreviation: string };
type Game = JsonObject & { id: number; startTime: string; awayTeam: Team; homeTeam: Team };
export type Body = JsonObject & { game: Game; plays: Play[] };

/** A recorded play-by-play of a finished game. */
export type RecordedGame = { name: string; league: League; gameId: string; msfGameId: number; whole: Body };

export type PlayedBack = RecordedGame & {
  /** The bodies in the order of their pushes. */
  bodies: readonly Body[];
  /** The body in which a play was inserted, and where in the game. */
  inserted: { at: number; period: number; second: number };
  /** The revisions of plays that the bodies cut. */
  plays: readonly CutRevision[];
};

/** Every recorded play-by-play, grown by `step` plays at a time. */
export function playedBack(step: (name: string) => number): PlayedBack[] {
  return recordedGames().map((game) => play(game, step(game.name)));
}

/** Every recorded play-by-play. */
export function recordedGames(): RecordedGame[] {
  return msfRecordings()
    .filter(({ feed }) => feed === 'playbyplay')
    .map(({ name, league, body }) => {
      const whole = body as Body;
      const { id: gameId } = scopeOf(league, whole.game);
      return { name: name.replace(/^.*playbyplay_|\.json\.gz$/g, ''), league, gameId, msfGameId: whole.game.id, whole };
    });
}

/** Bodies of a game in progress, each with `step` plays more, as long as some are left. */
export function grownBodies({ whole }: RecordedGame, step: number): Body[] {
  const live: Body = { ...whole, game: { ...whole.game, playedStatus: 'LIVE' } };
  const grown: Body[] = [];
  for (let count = step; count < whole.plays.length; count += step)
    grown.push({ ...live, plays: whole.plays.slice(0, count) });
  return grown;
}

function play(recorded: RecordedGame, step: number): PlayedBack {
  const { league, whole } = recorded;
  const { plays } = whole;
  const grown = grownBodies(recorded, step);
  const middle = Math.floor(plays.length / 2);
  const beside = plays[middle] as Play;
  const extra: Play = {
    description: 'A play that was forgotten',
    violation: { team: null },
    playStatus: beside.playStatus,
  };
  const inserted = { ...whole, plays: plays.toSpliced(middle, 0, extra) };
  const deleted = { ...whole, plays: inserted.plays.toSpliced(middle + 9, 1) };
  const corrected = {
    ...whole,
    plays: deleted.plays.with(middle - 9, { ...(plays[middle - 9] as Play), reviewed: true }),
  };
  const bodies = [...grown, whole, inserted, deleted, corrected, whole, whole];
  const scope = scopeOf(league, whole.game);
  const msf = new PureMsf();
  for (const [index, each] of bodies.entries()) {
    const at = Date.UTC(2026, 0, 1) * 1_000 + index * 15_000_000;
    const push = { feed: 'playbyplay' as const, requested: at, at, body: each };
    msf.fold(observationRecord(scope, push, whole.game.id, elementOf(each)), at);
  }
  const { quarter: period, secondsElapsed: second } = beside.playStatus;
  return {
    ...recorded,
    bodies,
    inserted: { at: grown.length + 1, period, second },
    plays: msf.revisionsOf('plays', scope.uuid),
  };
}

/** The game as the service names it: it uses other abbreviations for some teams. */
function scopeOf(league: League, { id, startTime, awayTeam, homeTeam }: Game): Scope {
  const [away, home] = [awayTeam, homeTeam].map(({ abbreviation }) => teams.find(league, abbreviation)?.abbreviation);
  const publicId = publicIdBase(league, away ?? '', home ?? '', parseRfc3339(startTime) ?? 0);
  return { kind: 'game', uuid: gameUuid(league, id), id: publicId, league };
}
