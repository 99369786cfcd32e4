// A client that writes paths exactly as given, byte by byte, over connections that stay open: for thousands of requests
// that a library would refuse or normalise.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Answer, answersIn } from './raw-answers.ts';

/** Requests each path (latin1) with the key, on several connections at once; `answered` is called with each answer. */
export async function askRawPaths(
  { url, key }: { url: string; key: string },
  paths: readonly string[],
  answered: (path: string, answer: Answer) => void,
): Promise<void> {
  const waiting = [...paths].reverse();
  const worker = async () => {
    let connection: Connection | null = null;
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      connection ??= await openConnection(url);
      const answer = await connection.ask(
        `GET ${path} HTTP/1.1\r\nHost: api.example.test\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
      answered(path, answer);
      if (answer.headers.get('connection') !== 'keep-alive') {
        connection.close();
        connection = null;
      }
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

type Connection = { ask(bytes: string): Promise<Answer>; close(): void };

async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return {
    async ask(bytes) {
      socket.write(bytes, 'latin1');
      const [answer] = answersIn(await wholeAnswer(socket, bytes));
      if (answer === undefined) throw new Error(`no answer to ${JSON.stringify(bytes.slice(0, 200))}`);
      return answer;
    },
    close: () => socket.destroy(),
  };
}

function wholeAnswer(socket: Socket, asked: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (why: string) => done(() => reject(new Error(`${why}: ${JSON.stringify(asked.slice(0, 200))}`)));
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (head !== -1 && text.length >= head + 4 + length) done(() => resolve(text));
    };
    const onClose = () => end('no whole answer');
    const onTimeout = () => end('no answer in time');
    function done(then: () => void): void {
      socket.off('data', onData).off('close', onClose).off('error', onClose).off('timeout', onTimeout);
      then();
    }
    socket.setTimeout(15_000);
    socket.on('data', onData).on('close', onClose).on('error', onClose).on('timeout', onTimeout);
  });
}
