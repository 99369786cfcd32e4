// A file of a revision as served and charged: every read, also of a range, debits all of its rows (docs/metering.md#what-a-read-costs).
import type { MsfDataset } from '../../core/msf/types.ts';
import type { FilePart } from '../../core/ports/catalog/msf.ts';
import type { PricedFile } from '../pipeline/route.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';

/** The stream of the file; `uuid` null: a league's own. */
type FileOf = { uuid: string | null; id: string; dataset: MsfDataset };

export type FileKind = 'snapshot' | 'change';

export function pricedFile(
  { uuid, id, dataset }: FileOf,
  place: { epoch: string; revision: number; kind: FileKind; index: number },
  { file, rows }: FilePart,
  answers: AnswerCache,
): PricedFile {
  const subject = `${place.epoch}/${place.revision}/${place.kind}/${place.index}`;
  return {
    file: answers.file(file, rows, 'immutable'),
    read: { kind: 'msf', gameUuid: uuid, gameId: id, dataset, subject, rows },
  };
}

const revisionForm = /^[1-9][0-9]{0,15}$/;
const indexForm = /^(?:0|[1-9][0-9]{0,8})$/;

/** The revision number in a path; null for any other text. */
export function parseRevision(text: string): number | null {
  return revisionForm.test(text) ? Number(text) : null;
}

/** The index of a file within its revision; null for any other text. */
export function parseIndex(text: string): number | null {
  return indexForm.test(text) ? Number(text) : null;
}
