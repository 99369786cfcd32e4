// Stores what the resolution of a push adds to the catalog: teams, games, and which event is bound to which game.
import type { BoundEvent, KnownGame } from '../../core/games/push-facts.ts';
import type { GameResolution } from '../../core/games/resolve.ts';
import type { Sql } from './sql.ts';
import { storeTeams } from './teams-store.ts';
import { jsonParameter, timestampText } from './values.ts';

/** Stores what is new in `resolutions`. */
export async function storeResolutions(tx: Sql, source: string, resolutions: readonly GameResolution[]): Promise<void> {
  const changes = resolutions.filter((each) => each.kind !== 'refused');
  const teams = changes.flatMap((each) => (each.kind === 'known' ? [] : each.newTeams));
  await storeTeams(
    tx,
    teams.map((team) => ({ team, aliases: [] })),
  );
  await storeGames(
    tx,
    source,
    changes.flatMap((each) => (each.kind === 'new' ? [each.game] : [])),
  );
  await storeBindings(
    tx,
    source,
    changes.flatMap((each) => (each.event === null ? [] : [each.event])),
  );
}

async function storeGames(tx: Sql, source: string, games: readonly KnownGame[]): Promise<void> {
  if (games.length === 0) return;
  await tx.query(
    `insert into games (id, league, public_id, home_name, away_name, home_team_id, away_team_id, founder_source, first_start,
       scheduled_start, log_layout)
     select id, league, public_id, home_name, away_name, home_team_id, away_team_id, $1, start, start,
       case when exists (select from log_early_keys e where e.key = g.id) then 0
         else coalesce((select max(layout) from log_layouts), 0) end
     from jsonb_to_recordset($2::jsonb) as g (id uuid, league text, public_id text, home_name text, away_name text,
       home_team_id uuid, away_team_id uuid, start timestamptz)`,
    [
      source,
      jsonParameter(
        games.map((game) => ({
          id: game.uuid,
          league: game.league,
          public_id: game.publicId,
          home_name: game.homeName,
          away_name: game.awayName,
          home_team_id: game.homeTeamId,
          away_team_id: game.awayTeamId,
          start: timestampText(game.firstStart),
        })),
      ),
    ],
  );
}

/** Stores bindings; if a push reports several starts of one event, the last counts. */
async function storeBindings(tx: Sql, source: string, events: readonly BoundEvent[]): Promise<void> {
  if (events.length === 0) return;
  const last = new Map(events.map((event) => [event.eventId, event]));
  await tx.query(
    `insert into game_events (source, event_id, game_uuid, league, commence_time)
     select $1, event_id, game_uuid, league, commence_time
     from jsonb_to_recordset($2::jsonb) as e (event_id text, game_uuid uuid, league text, commence_time timestamptz)
     on conflict (source, event_id) do update set game_uuid = excluded.game_uuid, league = excluded.league,
       commence_time = excluded.commence_time`,
    [
      source,
      jsonParameter(
        [...last.values()].map((event) => ({
          event_id: event.eventId,
          game_uuid: event.gameUuid,
          league: event.league,
          commence_time: timestampText(event.commenceTime),
        })),
      ),
    ],
  );
}
