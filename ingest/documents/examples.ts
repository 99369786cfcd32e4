// Example pushes as shell programs, in files beside this one: the pages show them as they are, and a test runs them.
import { readFileSync } from 'node:fs';

export const gatewayExamples = [
  {
    id: 'native',
    title: 'Try an image of your own',
    about:
      'An image is the whole offer of one sportsbook in one game. With `validate=true` nothing of it is kept; with `strict=true` probable mistakes are refused. Without both it is a push.',
  },
  {
    id: 'delta',
    title: 'Push what has changed',
    about:
      'A delta changes only the quotes it lists; a heartbeat says that all quotes are unchanged. NDJSON has one event per line. A push that may be sent again needs an `Idempotency-Key`.',
  },
  {
    id: 'the-odds-api',
    title: 'Push what The Odds API answers',
    about:
      '`ODDS_API` is its address and `ODDS_API_KEY` your key there. List in `markets` what was polled: quotes that are covered but absent from two polls are withdrawn.',
  },
  {
    id: 'msf',
    title: 'Push what MySportsFeeds answers',
    about:
      '`MSF` is its address and `MSF_KEY` your key there. The path names league, season and feed; the feed key needs the scope `msf`. Bodies are pushed unchanged.',
  },
] as const;

export function readGatewayExample(id: (typeof gatewayExamples)[number]['id']): string {
  return readFileSync(new URL(`examples/${id}.sh.txt`, import.meta.url), 'utf8').trimEnd();
}
