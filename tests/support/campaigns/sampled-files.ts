// The files of which `npm test` runs a part by the seed (support/vitest/sampled.ts); `npm run proof` runs each whole.

export const sampledFiles: readonly string[] = [
  'tests/whole/campaigns/crash.e2e.test.ts',
  'tests/whole/campaigns/demo-followers.e2e.test.ts',
  'tests/whole/campaigns/mixed-clients.e2e.test.ts',
  'tests/whole/campaigns/outage.e2e.test.ts',
  'tests/whole/campaigns/settlement-zombie.e2e.test.ts',
  'tests/whole/campaigns/switch.e2e.test.ts',
  'tests/whole/campaigns/tenants.e2e.test.ts',
  'tests/whole/campaigns/zombie.e2e.test.ts',
  'tests/whole/recordings/msf.e2e.test.ts',
  'tests/whole/recordings/settlement-mlb.e2e.test.ts',
  'tests/whole/recordings/settlement-nba.e2e.test.ts',
  'tests/whole/recordings/settlement-nfl.e2e.test.ts',
  'tests/whole/service/push.service.test.ts',
  'tests/whole/service/settlement-replay.service.test.ts',
  'tests/whole/test-tools/bench-smoke.service.test.ts',
  'tests/whole/vectors/direct.service.test.ts',
  'tests/whole/vectors/distributed.service.test.ts',
  'tests/whole/vectors/embedded.service.test.ts',
  'tests/whole/vectors/msf.service.test.ts',
  'tests/whole/vectors/settlement.service.test.ts',
];
