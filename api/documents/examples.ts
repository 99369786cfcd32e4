// Code samples that show how to use the API: a few tasks, each in several languages, as files in the folder examples/. The pages show them
// unchanged and the tests run them. They read API, KEY and GAME from their environment.
import { readFileSync } from 'node:fs';

export const exampleLanguages = [
  { id: 'curl', name: 'curl', suffix: 'sh', comment: '#' },
  { id: 'python', name: 'Python', suffix: 'py', comment: '#' },
  { id: 'duckdb', name: 'DuckDB', suffix: 'duckdb.sh', comment: '#' },
  { id: 'node', name: 'Node', suffix: 'mjs', comment: '//' },
] as const;

type ExampleLanguage = (typeof exampleLanguages)[number]['id'];

export const exampleTasks = [
  {
    id: 'list-games',
    title: 'List games',
    about: 'For the next page send `next_cursor` with the same filters, until it is null.',
  },
  {
    id: 'download',
    title: 'Download a file',
    about:
      'One file per dataset of a settled game; a game settles ten minutes after its end. Read it whole and filter it on your side: each range of a file is charged like the whole file. DuckDB over httpfs reads by ranges unless `force_download` is set; with it each query pays for the file once. For more queries use `sds proxy`: it keeps files on your machine, and each is charged once. Keep the ETag: with If-None-Match an unchanged file is free.',
  },
  {
    id: 'compare',
    title: 'Compare two versions of a file',
    about:
      'Results are corrected: most games settle on provisional statistics, so expect a second version of `market-results` within hours. The list of versions is free; each version is charged by its own rows.',
  },
  {
    id: 'follow',
    title: 'Follow a live game',
    about:
      'List the segments after the cursor and fetch every listed `url` verbatim; if a segment has `from_row`, read only the rows from there on. Keep the new cursor only after you have read all of them. With `Prefer: wait=25` the listing responds as soon as there are new rows; the route `rows` returns them as JSON. On any 409 drop your rows and the cursor, and list again. 404 with `reason` `final_available` is the end: the final file replaces all live rows.',
  },
  {
    id: 'board',
    title: 'Poll a board',
    about:
      'One file per operator with its current quotes. With If-None-Match an unchanged board is free; if you also send `Prefer: wait=25`, the board responds as soon as it changes.',
  },
  {
    id: 'revisions',
    title: 'Follow revisions and verify them',
    about:
      'Load the files of a snapshot, then apply the files of each revision of `changes`: `upsert` sets the row with its primary key, `delete` removes it, and a `replace` is the whole state. After each revision compare your rows with its `snapshot_row_count` and `snapshot_digest`: the SHA-256 of the rows in key order, each as the JSON array of its values and a newline. On any 410 start over at the snapshot.',
  },
] as const;

/** The tasks for which the service has routes. */
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
