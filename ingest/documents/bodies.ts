// The names of bodies in the gateway's description: those of its routes, and of the parts that have a name.
import type { Shape } from '../../schemas/http/json-schema.ts';
import { nativeEvent, nativeQuote } from '../../schemas/http/native-event.ts';
import {
  gatewayHealth,
  gatewayProblemPage,
  msfBody,
  namedGame,
  nativeBody,
  oddsApiBody,
  oddsApiEvent,
  playerBody,
  pushAnswer,
  receipt,
  referenceBody,
  rejection,
  teamBody,
  tickBody,
  venueBody,
  warning,
} from '../../schemas/http/pushes.ts';
import { apiDescription, ready, schemaDocument } from '../../schemas/http/service.ts';

export const bodies: Readonly<Record<string, Shape>> = {
  NativeBody: nativeBody,
  NativeEvent: nativeEvent,
  NativeQuote: nativeQuote,
  OddsApiBody: oddsApiBody,
  OddsApiEvent: oddsApiEvent,
  ReferenceBody: referenceBody,
  ReferenceTeam: teamBody,
  ReferencePlayer: playerBody,
  ReferenceVenue: venueBody,
  MsfBody: msfBody,
  TickBody: tickBody,
  PushAnswer: pushAnswer,
  Rejection: rejection,
  Warning: warning,
  NamedGame: namedGame,
  Receipt: receipt,
  Health: gatewayHealth,
  Ready: ready,
  ProblemPage: gatewayProblemPage,
  ApiDescription: apiDescription,
  SchemaDocument: schemaDocument,
};

/** @throws when a route has a body that has no name here. */
export function bodyName(schema: Shape): string {
  for (const [name, body] of Object.entries(bodies)) if (body === schema) return name;
  throw new Error('a route has a body that the description has no name for');
}
