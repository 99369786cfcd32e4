// Files that take turns, because each takes a minute or more: `npm test` runs one row of each list, chosen by its seed;
// `npm run proof` runs all rows.

export const turns: readonly (readonly (readonly string[])[])[] = [
  [
    ['tests/whole/campaigns/crash.e2e.test.ts', 'tests/whole/campaigns/tenants.e2e.test.ts'],
    [
      'tests/whole/campaigns/drill.e2e.test.ts',
      'tests/whole/campaigns/settlement-zombie.e2e.test.ts',
      'tests/whole/campaigns/zombie.e2e.test.ts',
    ],
    [
      'tests/whole/campaigns/growth.e2e.test.ts',
      'tests/whole/campaigns/metering.e2e.test.ts',
      'tests/whole/campaigns/outage.e2e.test.ts',
    ],
    [
      'tests/whole/campaigns/demo-followers.e2e.test.ts',
      'tests/whole/campaigns/mixed-clients.e2e.test.ts',
      'tests/whole/campaigns/switch.e2e.test.ts',
    ],
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
];
