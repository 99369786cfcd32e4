// `sds schemas`: compares the topics' schemas with those of earlier releases and of the registry
// (docs/operations.md#schemas-of-the-topics).
import { Command } from 'commander';
import { incompatibilities } from '../../platform/avro/compatible.ts';
import { eventSchema, eventTopics } from '../../platform/avro/event-schemas.ts';
import { releasedSchemas } from '../../platform/avro/released-schemas.ts';
import type { RegistryLink } from '../../platform/config/link-settings.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import { readSettings, type Settings } from '../../platform/config/settings.ts';
import { type ComparedSchema, compareSchemas, registerSchemas } from '../../platform/kafka/compare-schemas.ts';
import { topicSchemasMigrations } from '../../platform/postgres/topic-schemas-catalog.ts';
import { CommandFailure, print, type Session, table, withCatalogs } from '../session/command.ts';

export function schemasCommand(): Command {
  const schemas = new Command('schemas').description('the schemas of the topics, and the schema registry');
  schemas
    .command('check')
    .description('compare them with those of earlier releases and, in the distributed edition, with the registry')
    .option('--json', 'print JSON')
    .action(async (_options: object, command: Command) => {
      const settings = readSettings();
      const released = comparedWithReleases();
      // An upgrade asks before it migrates (docs/deploy.md#upgrading).
      const registry = settings.kafka === null ? [] : await withCatalogs(compared, topicSchemasMigrations);
      show(command, released, registry);
      failOn(released, registry);
    });
  schemas
    .command('register')
    .description('register them with the registry, as a start does')
    .option('--json', 'print JSON')
    .action((_options: object, command: Command) =>
      withCatalogs(async (session) => {
        const link = registryOf(session.settings);
        failOn(comparedWithReleases(), await compared(session));
        await registerSchemas(link, session.catalogs.topicSchemas, topicsOfService());
        show(command, [], await compared(session));
      }),
    );
  return schemas;
}

type Released = { topic: string; release: string; why: string[] };

function comparedWithReleases(): Released[] {
  return eventTopics.flatMap((topic) =>
    releasedSchemas(topic).map(({ release, schema }) => {
      return { topic, release, why: incompatibilities(eventSchema(topic), schema) };
    }),
  );
}

async function compared({ settings, catalogs }: Session): Promise<ComparedSchema[]> {
  return compareSchemas(registryOf(settings), catalogs.topicSchemas, topicsOfService());
}

function topicsOfService() {
  return eventTopics.map((name) => ({ name, schema: eventSchema(name) }));
}

/** @throws SettingError when there is no registry */
function registryOf({ kafka }: Settings): RegistryLink {
  if (kafka !== null) return kafka.registry;
  throw new SettingError(
    'SCHEMA_REGISTRY_URL',
    'is missing: only the distributed edition has a registry',
    'http://registry:8081',
  );
}

function show(command: Command, released: readonly Released[], registry: readonly ComparedSchema[]): void {
  const rows = [
    ...released.map(({ topic, release, why }) => [topic, `release ${release}`, verdict(why), '–']),
    ...registry.map(({ topic, state, id }) => [topic, 'registry', state, id]),
  ];
  print(command, { released, registry }, table(['topic', 'beside', 'state', 'number'], rows));
}

function verdict(why: readonly string[]): string {
  return why.length === 0 ? 'compatible' : 'incompatible';
}

/** @throws CommandFailure when two schemas are incompatible */
function failOn(released: readonly Released[], registry: readonly ComparedSchema[]): void {
  const faults = [
    ...released.flatMap(({ topic, release, why }) => why.map((each) => `${topic} beside release ${release}: ${each}`)),
    ...registry.flatMap(({ subject, why }) => why.map((each) => `${subject}: ${each}`)),
  ];
  const [first] = faults;
  if (first === undefined) return;
  const more = faults.length === 1 ? '' : `, and ${faults.length - 1} more`;
  throw new CommandFailure(registry.some(({ state }) => state === 'lost') ? 'refused' : 'failed', `${first}${more}`);
}
