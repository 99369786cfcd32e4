// Which files start first. A run ends with its last file, so files that take minutes start before all others of their
// phase: a fresh clone has no earlier times to order them by. The end of a run names its slowest files; a new one among
// them belongs here.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes about a minute or more on two cores, the slowest first. */
export const slow: readonly string[] = [
  'tests/whole/campaigns/growth.e2e.test.ts',
  'tests/whole/campaigns/outage.e2e.test.ts',
  'tests/ops/cli.e2e.test.ts',
  'tests/whole/campaigns/mixed-clients.e2e.test.ts',
  'tests/whole/campaigns/tenants.e2e.test.ts',
  'tests/whole/campaigns/schemathesis.service.test.ts',
  'tests/ops/backup/across-a-growth.e2e.test.ts',
  'tests/ops/commands/audit.e2e.test.ts',
  'tests/api/documents/browser.service.test.ts',
  'tests/ops/commands/games-settle.e2e.test.ts',
  'tests/whole/recordings/msf.e2e.test.ts',
  'tests/whole/recordings/recording.e2e.test.ts',
  'tests/ops/backup/restore-distributed.e2e.test.ts',
  'tests/whole/service/msf-gateway.service.test.ts',
  'tests/whole/test-tools/bench-smoke.service.test.ts',
  'tests/ops/commands/log-rebuild.e2e.test.ts',
  'tests/whole/campaigns/zombie.e2e.test.ts',
  'tests/whole/campaigns/demo-followers.e2e.test.ts',
  'tests/platform/kafka/kafka-broker.service.test.ts',
  'tests/platform/parquet/python.service.test.ts',
  'tests/clients/conformance/python.service.test.ts',
  'tests/ops/demo/demo.e2e.test.ts',
  'tests/ops/service/run-service.e2e.test.ts',
  'tests/api/live-page/live-page.service.test.ts',
  'tests/ingest/gateway/memory.e2e.test.ts',
  'tests/ops/health/faults.service.test.ts',
  'tests/whole/vectors/direct.service.test.ts',
  'tests/whole/vectors/distributed.service.test.ts',
  'tests/whole/vectors/embedded.service.test.ts',
  'tests/whole/vectors/settlement.service.test.ts',
  'tests/whole/service/releases.e2e.test.ts',
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.sort((a, b) => phaseOf(a) - phaseOf(b) || placeOf(a) - placeOf(b));
  }
}

const phaseOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

function placeOf({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place < 0 ? slow.length : place;
}
