// Programs that show how the API is used: a few tasks in a few languages each, as files beside this one, shown as they are and run by the
// tests. They read API, KEY and GAME from their environment.
import { readFileSync } from 'node:fs';

export const exampleLanguages = [
  { id: 'curl', name: 'curl', suffix: 'sh', comment: '#' },
  { id: 'python', name: 'Python', suffix: 'py', comment: '#' },
  { id: 'duckdb', name: 'DuckDB', suffix: 'duckdb.sh', comment: '#' },
  { id: 'typescript', name: 'TypeScript', suffix: 'ts', comment: '//' },
] as const;

type ExampleLanguage = (typeof exampleLanguages)[number]['id'];

export const exampleTasks = [
  {
    id: 'list-games',
    title: 'List games',
    about: 'Pages are followed by `next_cursor`, with the same filters, until it is null.',
  },
  {
    id: 'download',
    title: 'Download a file',
    about:
      'One file per dataset of a settled game; a game settles ten minutes after its end. Filter it where you are: a range of a file is debited like the whole file, so a reader that fetches many ranges pays many times: read through `sds proxy`, which keeps files on your machine. Keep the ETag: asked with If-None-Match, an unchanged file is free.',
  },
  {
    id: 'compare',
    title: 'Compare two versions of a file',
    about:
      'Results are corrected: most games settle on provisional statistics, so a second version of `market-results` within hours is the normal case. The list of versions is free; each version is debited by its own rows.',
  },
  {
    id: 'follow',
    title: 'Follow a live game',
    about:
      'List after the cursor, fetch every listed `url` verbatim, and of a segment with `from_row` take the rows from there on. Keep the new cursor only when all of them are read. With `Prefer: wait=25` the next listing comes the moment that there are new rows; `rows` gives them as JSON. A 409 wants one thing: forget the cursor and list again. 404 with `reason` `final_available` is the end: the final file replaces all of it.',
  },
  {
    id: 'board',
    title: 'Poll a board',
    about:
      'One file per operator with what it is believed to be quoting now. With If-None-Match an unchanged board is free; with `Prefer: wait=25` as well the answer comes the moment that the board is another one.',
  },
  {
    id: 'revisions',
    title: 'Follow revisions, and prove them',
    about:
      "Begin with the files of a snapshot, then apply the files of each revision of `changes`: `upsert` sets the row of its key, `delete` removes it, and a `replace` is the whole state. After each the state has the revision's `snapshot_row_count` and `snapshot_digest`: the SHA-256 of its rows in key order, each as the JSON array of its values and a newline. A 410 wants one thing: begin again at the snapshot.",
  },
] as const;

/** The tasks that a service has routes for. */
export function tasksFor({ msf }: { msf: boolean }): readonly (typeof exampleTasks)[number][] {
  return exampleTasks.filter(({ id }) => msf || id !== 'revisions');
}

type ExampleTask = (typeof exampleTasks)[number]['id'];

export type Examples = Readonly<Record<ExampleTask, Readonly<Record<ExampleLanguage, string>>>>;

export function readExample(task: ExampleTask, language: ExampleLanguage): string {
  const suffix = exampleLanguages.find(({ id }) => id === language)?.suffix;
  return readFileSync(new URL(`examples/${task}.${suffix}.txt`, import.meta.url), 'utf8').trimEnd();
}

export function readExamples(): Examples {
  const of = (task: ExampleTask) => Object.fromEntries(exampleLanguages.map(({ id }) => [id, readExample(task, id)]));
  return Object.fromEntries(exampleTasks.map(({ id }) => [id, of(id)])) as Examples;
}
