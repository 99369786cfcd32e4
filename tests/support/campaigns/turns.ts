// Files that take turns, because a row of them takes minutes: `npm test` runs one row of each list, chosen by its seed;
// `npm run proof` runs all rows. The lists: campaigns, recordings, and what goes through pages, backups and tools.

export const turns: readonly (readonly (readonly string[])[])[] = [
  [
    ['tests/whole/campaigns/crash.e2e.test.ts'],
    ['tests/whole/campaigns/tenants.e2e.test.ts'],
    ['tests/whole/campaigns/drill.e2e.test.ts'],
    ['tests/whole/campaigns/settlement-zombie.e2e.test.ts', 'tests/whole/campaigns/zombie.e2e.test.ts'],
    ['tests/whole/campaigns/growth.e2e.test.ts', 'tests/whole/campaigns/metering.e2e.test.ts'],
    ['tests/whole/campaigns/outage.e2e.test.ts'],
    ['tests/whole/campaigns/demo-followers.e2e.test.ts', 'tests/whole/campaigns/switch.e2e.test.ts'],
    ['tests/whole/campaigns/mixed-clients.e2e.test.ts'],
  ],
  [
    ['tests/whole/recordings/msf.e2e.test.ts'],
    ['tests/whole/recordings/recording.e2e.test.ts'],
    [
      'tests/whole/recordings/settlement-mlb.e2e.test.ts',
      'tests/whole/recordings/settlement-nba.e2e.test.ts',
      'tests/whole/recordings/settlement-nfl.e2e.test.ts',
    ],
  ],
  [
    [
      'tests/api/documents/browser.service.test.ts',
      'tests/api/documents/examples.service.test.ts',
      'tests/api/documents/examples-of-revisions.service.test.ts',
      'tests/whole/listeners/generated-clients.service.test.ts',
    ],
    [
      'tests/ops/backup/across-a-growth.e2e.test.ts',
      'tests/ops/backup/restore-distributed.e2e.test.ts',
      'tests/ops/commands/log-grow.e2e.test.ts',
    ],
    [
      'tests/ops/console/console-page.service.test.ts',
      'tests/ops/demo/demo.e2e.test.ts',
      'tests/whole/service/settlement-readers.service.test.ts',
      'tests/whole/test-tools/bench-smoke.service.test.ts',
    ],
  ],
];
