// The scripted server: answers as the service does (docs/interface.md), about worlds that a case changes between and during calls. It counts
// what was asked and what it costs. It can be stopped and started on its port.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SportsbookLinesRow } from '../../../schemas/datasets/sportsbook-lines.ts';
import { answerWrongly, type Fault, faultFor, isAnswered, problem, type Reply, type Route, waitOf } from './faults.ts';
import { LogWorld, linesFile } from './log.ts';
import { oddsOf } from './odds.ts';
import { file, json } from './replies.ts';
import { StreamWorld } from './stream.ts';

export const apiKey = 'svc_live_conformance';
/** Segments of a listing; small, so that a log of a few segments has pages. */
const segmentsListed = 3;
/** As few, so that a history has pages, and so has a stream. */
const gamesListed = 2;
const revisionsListed = 2;
const live = '/sportsbook-lines';

/**
 * A request so soon after a `Retry-After` was under way before; one so shortly before its end comes from a timer that is not exact. Neither is
 * wrong.
 */
const toleratedMs = 50;

type Game = { log: LogWorld; stream: StreamWorld };

export class ScriptedServer {
  readonly games = new Map<string, Game>();
  readonly faults: Fault[] = [];
  /** How often each route was asked, refusals and faults included. */
  readonly asked = new Map<Route, number>();
  /** Rows that were billed. */
  charged = 0;
  /**
   * Requests without the key, for a path that is not the service's, for a segment under an address that was not listed, or before a `Retry-After`
   * was over.
   */
  readonly strange: string[] = [];
  readonly #paid = new Map<string, number>();
  readonly #listed = new Set<string>();
  #server: Server | undefined;
  #port = 0;
  /** From when, and until when, the last `Retry-After` forbids requests. */
  #waiting = { from: 0, until: 0 };

  game(id: string): Game {
    const known = this.games.get(id);
    if (known !== undefined) return known;
    const made = { log: new LogWorld(id), stream: new StreamWorld(id) };
    this.games.set(id, made);
    return made;
  }

  /** The games of a league on these dates; null: of all leagues, without a bound. */
  gamesOf(league: string | null, from: string | null, to: string | null): [id: string, game: Game][] {
    return [...this.games].filter(([id]) => {
      const date = dateOf(id);
      return (league ?? leagueOf(id)) === leagueOf(id) && (from ?? date) <= date && date <= (to ?? date);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => this.#handle(request, response));
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Ends at once, with all of its connections, as a kill does. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  /** Another client asks from now on. */
  welcome(): void {
    this.#waiting = { from: 0, until: 0 };
  }

  #waits(ms: number): void {
    const now = performance.now();
    if (now + ms > this.#waiting.until) this.#waiting = { from: now, until: now + ms };
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', this.url);
    if (request.headers.authorization !== `Bearer ${apiKey}`) this.strange.push(`${url.pathname} without the key`);
    const { from, until } = this.#waiting;
    const now = performance.now();
    if (now > from + toleratedMs && now < until - toleratedMs)
      this.strange.push(`${url.pathname} before Retry-After was over`);
    const { route, reply } = this.#answer(url, request.method === 'HEAD', request.headers['if-none-match']);
    if (route === null) this.strange.push(url.pathname);
    else this.asked.set(route, (this.asked.get(route) ?? 0) + 1);
    const fault = faultFor(this.faults, route);
    const isBilled = fault === undefined || isAnswered(fault);
    const answer = isBilled ? (typeof reply === 'function' ? reply() : reply) : nothing;
    if (fault !== undefined) {
      response.once('finish', () => this.#waits(waitOf(fault) * 1_000));
      answerWrongly(response, fault, answer, this.url);
    } else {
      response.writeHead(answer.status, { ...answer.headers, 'content-length': String(answer.body.length) });
      response.end(request.method === 'HEAD' ? undefined : answer.body);
    }
  }

  #answer(url: URL, head: boolean, tag: string | undefined): { route: Route | null; reply: Reply | Billed } {
    const [, , kind = '', subject = '', ...rest] = url.pathname.split('/');
    if (kind === 'games' && subject === '') return { route: 'games', reply: this.#list(url) };
    if (url.pathname === '/v1/datasets/team-stats/schema')
      return { route: 'games', reply: json({ primary_key: ['game_id', 'team_id', 'stat'] }) };
    const game = kind === 'games' ? this.games.get(decodeURIComponent(subject).toUpperCase()) : undefined;
    if (game === undefined) return { route: 'games', reply: this.#problem(404, 'not-found') };
    const rows = url.searchParams.get('rows');
    const cursor = url.searchParams.get('cursor');
    const [dataset = '', part = '', name = ''] = rest;
    if (dataset === 'team-stats') return this.#stream(game.stream, rest, url);
    if (dataset === 'odds') return { route: 'odds', reply: this.#odds(game.log, url.searchParams) };
    if (`/${dataset}` !== live) return { route: 'final', reply: this.#problem(404, 'not-found') };
    const version = url.searchParams.get('version') ?? '1';
    if (part === '' && version === '0') return { route: 'final', reply: this.#problem(400, 'validation-error') };
    if (part === '' && version !== '1') return { route: 'final', reply: this.#problem(404, 'not-found') };
    if (part === '') return { route: 'final', reply: this.#final(game.log, head, tag) };
    const route = part === 'board' ? 'board' : name === '' ? 'listing' : 'segment';
    if (game.log.settled) {
      const firstSeq = game.log.segments[0]?.seq;
      const members = { reason: 'final_available', final: `/v1/games/${game.log.game}${live}`, first_seq: firstSeq };
      return { route, reply: this.#problem(404, 'not-found', members) };
    }
    if (game.log.segments.length === 0)
      return { route, reply: this.#problem(404, 'not-found', { reason: 'no_live_artifact' }) };
    if (part === 'board')
      return { route, reply: name === '' ? this.#boards(game.log) : file(game.log.boardFile(name.toLowerCase()), 0) };
    if (name === '') return { route, reply: this.#segments(game.log, cursor) };
    if (!this.#listed.has(url.pathname + url.search)) this.strange.push(`${url.pathname}${url.search} was not listed`);
    return { route, reply: this.#segment(game.log, Number(name), rows === null ? null : Number(rows)) };
  }

  #segments(log: LogWorld, cursor: string | null): Reply {
    const [seq = 0, rows = 0] = (cursor ?? '0:0').split(':').map(Number);
    const own = log.segments.find((segment) => segment.seq === seq);
    if (seq === 0 ? rows !== 0 : own === undefined || own.rows.length < rows)
      return this.#problem(409, 'live-cursor-reset', { game_id: log.game });
    const news = log.segments.filter((each) => each.seq > seq || (each === own && each.rows.length > rows));
    const listed = news.slice(0, segmentsListed);
    const last = listed.at(-1);
    const entries = listed.map((each) => ({
      seq: each.seq,
      rows: each.rows.length,
      closed: each.closed,
      url: `/v1/games/${log.game}${live}/segments/${each.seq}?rows=${each.rows.length}`,
      ...(each === own && rows > 0 ? { from_row: rows } : {}),
    }));
    for (const entry of entries) this.#listed.add(entry.url);
    const omitted = news.length - listed.length;
    return json({
      game_id: log.game,
      dataset: 'sportsbook-lines',
      provisional: true,
      segments: entries,
      ...(omitted > 0 ? { segments_omitted: omitted } : {}),
      cursor: last === undefined ? `${seq}:${rows}` : `${last.seq}:${last.rows.length}`,
    });
  }

  #segment(log: LogWorld, seq: number, rows: number | null): Reply | Billed {
    const found = log.segments.find((segment) => segment.seq === seq);
    const isBelow = seq < (log.segments[0]?.seq ?? 0);
    if (rows !== null && (isBelow || (found !== undefined && found.rows.length < rows)))
      return this.#problem(409, 'live-segment-behind', { game_id: log.game, seq, rows });
    if (found === undefined) return this.#problem(404, 'not-found');
    const content = found.rows.slice(0, rows ?? found.rows.length);
    return () => {
      const mark = `${log.game}/${seq}`;
      this.charged += Math.max(0, content.length - (this.#paid.get(mark) ?? 0));
      this.#paid.set(mark, Math.max(content.length, this.#paid.get(mark) ?? 0));
      return { ...file(linesFile(content), content.length), other: linesFile(content.map(asOther)) };
    };
  }

  #boards(log: LogWorld): Reply {
    const files = log.operators().map((operator) => ({
      operator: operator.toUpperCase(),
      rows: log.boardRows(operator).length,
      url: `/v1/games/${log.game}${live}/board/${operator.toUpperCase()}`,
    }));
    return json({ game_id: log.game, board: { rows: log.rows.length, files } });
  }

  #odds(log: LogWorld, asked: URLSearchParams): Reply {
    if (log.segments.length === 0) return this.#problem(404, 'not-found', { reason: 'no_live_artifact' });
    const [best, operators] = [asked.get('best'), asked.get('operators')];
    return json(
      oddsOf(log, {
        ...Object.fromEntries(asked),
        best: best === 'true',
        ...(operators === null ? {} : { operators: operators.split(',') }),
      }),
    );
  }

  #final(log: LogWorld, head: boolean, tag: string | undefined): Reply | Billed {
    const listing = `/v1/games/${log.game}${live}`;
    if (!log.settled && log.segments.length === 0) return this.#problem(404, 'not-found');
    if (!log.settled)
      return this.#problem(404, 'not-final', { live: { segments: `${listing}/segments`, board: `${listing}/board` } });
    const answer = { ...file(linesFile(log.rows), log.rows.length), other: linesFile(log.rows.map(asOther)) };
    answer.headers['x-service-artifact-version'] = String(log.version);
    if (tag === answer.headers.etag) return { status: 304, headers: answer.headers, body: new Uint8Array() };
    return () => {
      if (!head) this.charged += log.rows.length;
      return answer;
    };
  }

  #list({ searchParams: asked }: URL): Reply {
    const found = this.gamesOf(asked.get('league'), asked.get('date_from'), asked.get('date_to'));
    const start = Number(asked.get('cursor') ?? 0);
    const end = start + gamesListed;
    const data = found.slice(start, end).map(([id, { log }]) => ({
      id,
      league: leagueOf(id),
      game_date: dateOf(id),
      status: log.shownStatus,
    }));
    return json({ data, next_cursor: end < found.length ? String(end) : null });
  }

  #stream(stream: StreamWorld, [, part = '']: string[], url: URL): { route: Route; reply: Reply } {
    const links = { stream_epoch: `E${stream.epoch}`, snapshot: `${stream.path}/snapshot` };
    const head = stream.revisions.length;
    const more = { poll_after: 1, dataset: 'team-stats' };
    if (part === 'revisions') {
      const bytes = stream.files.get(url.pathname);
      return { route: 'file', reply: bytes === undefined ? this.#problem(404, 'not-found') : file(bytes, 0) };
    }
    const route = part === 'snapshot' ? 'snapshot' : 'changes';
    if (head === 0) return { route, reply: this.#problem(404, 'not-yet-available', { poll_after: 1 }) };
    if (route === 'snapshot') {
      const at = Number(url.searchParams.get('at_revision') ?? head);
      const found = stream.revisions[at - 1]?.snapshot;
      return {
        route,
        reply: found === undefined ? this.#problem(404, 'not-yet-available') : json({ ...found, ...more }),
      };
    }
    const [dataset, game, epoch, after] = (url.searchParams.get('cursor') ?? '').split(':');
    if (dataset !== 'team-stats' || game !== stream.game)
      return { route, reply: this.#problem(400, 'validation-error') };
    if (epoch !== `E${stream.epoch}`) return { route, reply: this.#problem(410, 'stream-reset', links) };
    if (Number(after) > head) return { route, reply: this.#problem(404, 'not-yet-available', { poll_after: 1 }) };
    if (Number(after) + 1 < stream.keptFrom) return { route, reply: this.#problem(410, 'cursor-expired', links) };
    const until = Math.min(head, Number(url.searchParams.get('until_revision') ?? head));
    const limit = Math.min(revisionsListed, Number(url.searchParams.get('limit') ?? revisionsListed));
    const page = stream.revisions.slice(Number(after), until).slice(0, limit);
    const revisions = page.map(({ change }) => change);
    const cursor = revisions.at(-1)?.cursor ?? stream.cursorOf(Number(after));
    return {
      route,
      reply: json({ ...more, stream_epoch: `E${stream.epoch}`, high_water_revision: head, revisions, cursor }),
    };
  }

  #problem(status: number, type: string, members: Readonly<Record<string, unknown>> = {}): Reply {
    return problem(this.url, status, type, members);
  }
}

/** Bills the reply, before its first byte as the service does. */
type Billed = () => Reply;

const nothing: Reply = { status: 200, headers: {}, body: new Uint8Array() };

function leagueOf(id: string): string {
  return id.slice(0, 3);
}

/** The date in a game's id. */
function dateOf(id: string): string {
  return id.replace(/^.*_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
}

/** A row that is well formed, and not the one that was published. */
function asOther(row: SportsbookLinesRow): SportsbookLinesRow {
  return { ...row, source: 'other' };
}
