// In which order the files that need services run: those of whole programs first, for they take longest, and one that began last would run
// alone at the end. Otherwise as vitest has it. Pure files stay as they are: they share processes by project.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const orderOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
const waits = ({ project, moduleId }: TestSpecification): number =>
  project.config.isolate && !moduleId.includes('/tests/whole/') ? 1 : 0;

export class WholeFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => orderOf(one) - orderOf(other) || waits(one) - waits(other));
  }
}
