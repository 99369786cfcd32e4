// `sds games unbind`: unbinds a source's event from its game, so that its next push is resolved anew. The game keeps its rows, which are
// history, and its id, which never changes.
import { Command } from 'commander';
import { CommandFailure, confirm, print, sourceOf, withCatalogs } from '../session/command.ts';

export function unbindCommand(): Command {
  return new Command('unbind')
    .description('unbind an event of a source from its game; its next push is resolved anew')
    .argument('<source>', 'the source')
    .argument('<event-id>', 'its event id, as ./sds games show lists it; for a game of MSF: msf and game/<LEAGUE>/<id>')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((named: string, eventId: string, options: { yes?: true }, command: Command) =>
      withCatalogs(async ({ catalogs: { games }, actor }) => {
        const source = sourceOf(named);
        const bound = (await games.gamesOfEvents(source, [eventId])).get(eventId);
        if (bound === undefined)
          throw new CommandFailure('failed', `event ${eventId} of ${source} is not bound to a game`);
        const { gameId } = bound;
        const left = (await games.eventsOf(bound.uuid)).length - 1;
        const rest =
          left > 0
            ? `${left} more of its events stay bound`
            : `${gameId} has no events left: it is still served, matches no event and blocks no other game; ./sds games settle ${gameId} closes it`;
        await confirm(
          `event ${eventId} of ${source} is unbound from ${gameId}, and its next push is resolved anew; ${rest}`,
          eventId,
          options.yes === true,
        );
        const unbound = await games.unbind(source, eventId, actor);
        if (unbound === null)
          throw new CommandFailure('failed', `event ${eventId} of ${source} is no longer bound to a game`);
        const facts = { source, event_id: eventId, game_id: gameId, events_left: left };
        print(command, facts, `event ${eventId} of ${source} has left ${gameId}; ${rest}`);
      }),
    );
}
