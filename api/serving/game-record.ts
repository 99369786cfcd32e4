// A game as the discovery routes return it.
import { shownStatus } from '../../core/games/shown-status.ts';
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { type GameDocument, game } from '../../schemas/http/games.ts';

const statusOf = game.shape.status;

/** docs/interface.md#game. An unknown team has the name that its source gave it. */
export function gameRecord(of: CatalogGame): GameDocument {
  const status = statusOf.parse(shownStatus(of));
  return {
    id: of.gameId,
    league: game.shape.league.parse(of.league),
    game_date: of.gameDate,
    scheduled_start: formatMicros(of.scheduledStart),
    status,
    in_progress: status === 'STARTED',
    home_team: of.home?.name ?? of.homeName,
    home_team_abbreviation: of.home?.abbreviation ?? null,
    home_team_id: of.home?.id ?? null,
    away_team: of.away?.name ?? of.awayName,
    away_team_abbreviation: of.away?.abbreviation ?? null,
    away_team_id: of.away?.id ?? null,
  };
}
