// Claim: the files of ops/ that put the service on machines start every role, with settings that this version has and takes, without rights that
// a role does not need, and with the probes, the drain and the versions that the pages promise. What their own tools say of them is
// whole/repository/deployment-tools.service's.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { parse } from 'yaml';
import { roles } from '../../../ops/service/roles.ts';
import { secretSettings } from '../../../platform/config/environment-text.ts';
import { settingTable } from '../../../platform/config/setting-table.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import {
  type Container,
  readCompose,
  readEnvironmentFile,
  readManifests,
  readUnit,
} from '../../support/book/deployment.ts';
import { readDockerfile, wordsOf } from '../../support/book/dockerfile.ts';
import { images, versions } from '../../support/services/images.ts';

const gatewayMemory = readEnvironmentFile('ops/service/gateway-memory.env');
/** Those that the table of settings does not name in full. */
const others = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'AWS_ACCESS_KEY_ID', 'AWS_REGION', 'KAFKA_SASL_MECHANISM'];
const known = new Set([
  ...settingTable.flatMap(({ name }) => name.split(/, ?/)),
  ...secretSettings.flatMap((name) => [name, `${name}_FILE`]),
  ...others,
  ...Object.keys(gatewayMemory),
]);

/** The logins to which ops/policies gives rights on Kafka. */
const acls = readFileSync(new URL('../../../ops/policies/kafka-acls', import.meta.url), 'utf8');
const kafkaLogins = [...acls.matchAll(/User:(\S+)/g)].map(([, login]) => login as string);

/** Stand-ins for secrets. */
const secrets: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://sds:secret@db:5432/sds',
  REDIS_URL: 'redis://redis:6379',
  SDS_KEY_PEPPERS: `1:${Buffer.from('a pepper that only tests know').toString('base64')}`,
};

/** The settings as the container would read them. @throws SettingError */
function settingsOf(environment: Readonly<Record<string, string>>) {
  const unknown = Object.keys(environment).filter((name) => !known.has(name));
  assert.deepEqual(unknown, [], 'variables that are not settings');
  const given = Object.entries(environment).map(([name, value]) => {
    const secret = name.replace(/_FILE$/, '');
    if (name.endsWith('_FILE') && secretSettings.includes(secret)) return [secret, secrets[secret] ?? 'secret'];
    return [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')];
  });
  return readSettings({ SDS_EDITION: 'distributed', ...Object.fromEntries(given) });
}

/** An amount of memory, as Kubernetes or Compose writes it, in GiB. */
function gibOf(text = ''): number {
  const [, number, unit] = /^(\d+)(Mi|m|Gi|g)$/.exec(text) ?? [];
  return Number(number) / (unit?.toLowerCase().startsWith('m') === true ? 1_024 : 1);
}

describe('the Compose file', () => {
  const { services, configs, secrets: given, networks } = readCompose();
  const own = Object.entries(services).filter(([, { image }]) => image === 'sports-data-service');
  const environmentOf = (name: string) =>
    Object.fromEntries(Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, String(value)]));

  it('starts every role, and migrates first', () => {
    assert.deepEqual(own.map(([name]) => name).toSorted(), ['migrate', ...roles].toSorted());
    for (const role of roles) assert.deepEqual(services[role]?.command, ['start', role]);
    assert.deepEqual(services.migrate?.command, ['migrate']);
  });

  it('starts each again that fails, or ended with its machine, and a migration that is refused not', () => {
    for (const [name, { restart }] of Object.entries(services))
      if (name !== 'migrate') assert.equal(restart, 'unless-stopped', name);
    assert.equal(services.migrate?.restart, 'no');
  });

  it('gives each settings that it takes, and the gateway its own of memory', () => {
    for (const [name] of own) {
      const settings = settingsOf(environmentOf(name));
      assert.equal(settings.internalPort, 9100);
      assert.ok(settings.redis !== null && settings.s3 !== null);
    }
    const { MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_ } = environmentOf('ingest');
    assert.deepEqual({ MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_ }, gatewayMemory);
  });

  it('runs each without rights, on a read-only root', () => {
    for (const [name, service] of own) {
      assert.equal(service.read_only, true, name);
      assert.deepEqual([service.cap_drop, service.security_opt], [['ALL'], ['no-new-privileges:true']], name);
      assert.deepEqual(service.tmpfs, ['/tmp'], name);
    }
  });

  it('opens ports of the host itself only, and keeps dependencies on a network of their own', () => {
    for (const [name, { ports = [], networks: on = [] }] of Object.entries(services)) {
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/, name);
      assert.equal(ports.length > 0, on.includes('public'), name);
    }
    assert.deepEqual([networks.data, networks.monitoring], [{ internal: true }, { internal: true }]);
  });

  it('runs the versions that the tests run', () => {
    const { kafka, postgres, objects, redis, registry } = services;
    assert.deepEqual(
      [kafka?.image, postgres?.image, objects?.image, redis?.image],
      [images.kafka, images.postgres, images.s3, images.redis],
    );
    assert.equal(registry?.image, `apicurio/apicurio-registry-sql:${versions.registry}`);
    for (const [name, { image }] of Object.entries(services))
      if (image !== 'sports-data-service') assert.match(image, /:v?\d+\.\d+/, name);
  });

  it('watches every role, with the rules and the dashboard of the repository', () => {
    const { scrape_configs: scrapes, rule_files: rules } = parse(configs.prometheus?.content ?? '') as {
      scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
      rule_files: string[];
    };
    const [target] = scrapes.flatMap(({ dns_sd_configs: each }) => each);
    assert.deepEqual([target?.names.toSorted(), target?.port], [[...roles].toSorted(), 9100]);
    const mounts = [...(services.prometheus?.volumes ?? []), ...(services.grafana?.volumes ?? [])];
    const files = mounts.filter((mount) => mount.startsWith('./')).map((mount) => mount.split(':'));
    assert.deepEqual(rules, [files[0]?.[1]]);
    for (const [file = ''] of files) assert.ok(existsSync(new URL(`../../../ops/${file}`, import.meta.url)), file);
    const { providers } = parse(configs['grafana-dashboards']?.content ?? '') as {
      providers: { options: { path: string } }[];
    };
    assert.ok(files.some(([, inside]) => inside?.startsWith(`${providers[0]?.options.path}/`)));
  });

  it('runs as many projectors as ops/.env says, whatever the command', () => {
    assert.match(services.projectors?.deploy?.replicas ?? '', /^\$\{PROJECTORS:-1\}$/);
    const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
    assert.match(page, /^echo PROJECTORS=\d+ >> ops\/\.env && docker compose /m);
    assert.doesNotMatch(page, /docker compose.* --scale/);
  });

  it('takes no variable that docs/deploy.md does not name', () => {
    const text = readFileSync(new URL('../../../ops/compose.yaml', import.meta.url), 'utf8');
    const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
    for (const [, name] of text.matchAll(/\$\{(\w+)/g)) assert.ok(page.includes(`\`${name}\``), name);
  });

  it('lets the database take the connections of as many projectors as there are partitions', () => {
    const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
    const [, ofWriter, ofApi] =
      /\*\*database connections\*\*: (\d+) for each process that writes, (\d+)/.exec(page) ?? [];
    const projectors = settingsOf(environmentOf('projectors')).kafka?.partitions ?? 0;
    const [most] = services.postgres?.command?.flatMap((word) => /^max_connections=(\d+)$/.exec(word)?.[1] ?? []) ?? [];
    // Beside them run a gateway, a ticker and an API, with commands and the registry.
    const asked = (projectors + 2) * Number(ofWriter) + Number(ofApi);
    assert.ok(asked > 100 && asked + 100 <= Number(most ?? 100), `${asked} of ${most}`);
  });

  it('gives a read-only service nothing but files, because Compose could not write into it', () => {
    for (const [name, { read_only: isReadOnly, secrets: taken = [], configs: texts = [] }] of Object.entries(
      services,
    )) {
      if (isReadOnly !== true) continue;
      for (const secret of taken) assert.deepEqual(Object.keys(given[secret] ?? {}), ['file'], `${name}: ${secret}`);
      for (const { source } of texts)
        assert.deepEqual(Object.keys(configs[source] ?? {}), ['file'], `${name}: ${source}`);
    }
  });

  it('has no secret in it, and takes each from a file that docs/deploy.md makes', () => {
    const text = readFileSync(new URL('../../../ops/compose.yaml', import.meta.url), 'utf8');
    assert.doesNotMatch(text, /\$\{\w+:?\?/, 'the environment has to hold nothing');
    const environments = Object.values(services).flatMap(({ env_file: file }) => file ?? []);
    const files = [...Object.values(given).map(({ file }) => file), ...environments];
    const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
    const made = [...page.matchAll(/> ops\/(secrets\/\S+)$/gm)].map(([, path]) => `./${path}`);
    assert.deepEqual(made.toSorted(), files.toSorted());
    for (const [name, service] of Object.entries(services))
      for (const path of Object.values(service.environment ?? {}).map(String)) {
        const [, secret] = /^\/run\/secrets\/(.+)$/.exec(path) ?? [];
        if (secret !== undefined) assert.ok(service.secrets?.includes(secret), `${name}: ${secret}`);
      }
  });
});

describe('the Kubernetes manifests', () => {
  const manifests = readManifests();
  const shared = manifests.find(({ manifest }) => manifest.kind === 'ConfigMap')?.manifest.data ?? {};
  const pods = manifests.flatMap(({ manifest }) => {
    const spec = manifest.spec?.template?.spec;
    return spec === undefined ? [] : [{ kind: manifest.kind, spec, container: spec.containers[0] as Container }];
  });
  const deployments = pods.filter(({ kind }) => kind === 'Deployment');
  const isListening = ({ args }: Container) => args.includes('api') || args.includes('ingest');

  it('are all in the Kustomization, and start every role', () => {
    const resources = manifests.find(({ manifest }) => manifest.kind === 'Kustomization')?.manifest.resources ?? [];
    const files = new Set(manifests.map(({ file }) => file.replace('ops/kubernetes/', '')));
    files.delete('kustomization.yaml');
    assert.deepEqual(resources.toSorted(), [...files].toSorted());
    assert.deepEqual(
      deployments.map(({ container }) => container.args),
      [...roles].toSorted().map((role) => ['start', role]),
    );
    assert.deepEqual(pods.find(({ kind }) => kind === 'Job')?.container.args, ['migrate']);
  });

  it('are rolled out by the commands of docs/deploy.md: the Job with what it needs, then one Deployment after another', () => {
    const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
    const key = 'app.kubernetes.io/component';
    const [, apart = ''] = /--selector '(\S+ notin \(.+?\))'/.exec(page) ?? [];
    assert.equal(apart, `${key} notin (${[...roles].toSorted().join(', ')})`);
    const [, inTurn = ''] = /^ +for role in (.+); do$/m.exec(page) ?? [];
    assert.deepEqual(inTurn.split(' ').toSorted(), [...roles].toSorted());
    assert.ok(page.includes(` --selector ${key}=$role &&`) && page.includes('wait job/sds-migrate --for'));
    const objects = manifests.filter(({ manifest }) => manifest.kind !== 'Kustomization');
    for (const { manifest } of objects) {
      const of = manifest.metadata.labels?.[key] ?? 'none';
      const name = `${manifest.kind} ${manifest.metadata.name}`;
      if (manifest.kind === 'Deployment') assert.equal(name, `Deployment sds-${of}`);
      else if (manifest.kind === 'Job') assert.equal(name, 'Job sds-migrate');
      // Those come with the Job, which needs the settings and the way to the database.
      else if (manifest.kind !== 'Service') assert.equal(of, 'none', name);
    }
  });

  it('give each settings that it takes, and the gateway its own of memory', () => {
    for (const { container } of pods) {
      const own = container.env.map(({ name, value }) => [name, value ?? secrets[name] ?? 'secret']);
      const environment = { ...shared, ...Object.fromEntries(own) } as Record<string, string>;
      const settings = settingsOf(environment);
      assert.equal(
        settings.internalPort,
        container.ports?.find(({ name }) => name === 'internal')?.containerPort ?? 9100,
      );
      if (!container.args.includes('ingest')) continue;
      for (const [name, value] of Object.entries(gatewayMemory)) assert.equal(environment[name], value, name);
    }
  });

  it('run as a user without rights, on a read-only root', () => {
    for (const { spec, container } of pods) {
      assert.deepEqual(
        spec.securityContext,
        {
          runAsNonRoot: true,
          runAsUser: 65532,
          runAsGroup: 65532,
          fsGroup: 65532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        container.name,
      );
      assert.deepEqual(
        container.securityContext,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        container.name,
      );
      assert.equal(spec.automountServiceAccountToken, false, container.name);
      assert.ok(container.resources.limits.memory, container.name);
    }
  });

  it('probe each role where it answers, and drain what listens before it stops', () => {
    for (const { spec, container } of deployments) {
      const { startupProbe, livenessProbe, readinessProbe, lifecycle, name } = container;
      const listens = isListening(container);
      assert.deepEqual(startupProbe?.httpGet, { path: '/health', port: 'internal' }, name);
      assert.deepEqual(livenessProbe?.httpGet, { path: '/health', port: 'internal' }, name);
      assert.deepEqual(readinessProbe?.httpGet, { path: '/health/ready', port: listens ? 'http' : 'internal' }, name);
      const drain = lifecycle?.preStop.sleep.seconds ?? 0;
      assert.equal(drain > 0, listens, name);
      // Stopping takes ten seconds at most.
      assert.ok((spec.terminationGracePeriodSeconds ?? 0) >= drain + 20, name);
    }
  });

  it('read each secret from a file, which only their user can read, and get no other', () => {
    for (const { spec, container } of pods) {
      const { env, volumeMounts, name } = container;
      for (const variable of env) assert.ok(!secretSettings.includes(variable.name), `${name}: ${variable.name}`);
      const mount = volumeMounts.find((each) => each.name === 'secrets');
      const { secret } = spec.volumes.find((each) => each.name === 'secrets') ?? {};
      assert.deepEqual([mount?.readOnly, secret?.secretName, secret?.defaultMode], [true, 'sds', 0o440], name);
      const files = env.filter((variable) => variable.name.endsWith('_FILE')).map(({ value }) => value);
      assert.deepEqual(
        files,
        secret?.items.map(({ path }) => `${mount?.mountPath}/${path}`),
        name,
      );
    }
  });

  it('give each role logins of its own, and at the object store and at Kafka where it has rights', () => {
    for (const { container } of pods.filter(({ kind }) => kind === 'Deployment')) {
      const role = container.args[1] ?? '';
      const keys = container.env.flatMap(({ value, valueFrom }) =>
        [valueFrom?.secretKeyRef.key, /^\/secrets\/(.+)$/.exec(value ?? '')?.[1]].filter((key) => key !== undefined),
      );
      const own = keys.filter((key) => key !== 'key-peppers' && key !== 'redis-url');
      const objects = existsSync(new URL(`../../../ops/policies/s3-${role}.json`, import.meta.url));
      const asked = [
        `database-url-${role}`,
        ...(kafkaLogins.includes(`sds-${role}`) ? [`kafka-password-${role}`] : []),
        ...(objects ? [`s3-access-key-${role}`, `s3-secret-key-${role}`] : []),
      ];
      assert.deepEqual(own.toSorted(), asked, role);
      const [login] = container.env.filter(({ name }) => name === 'KAFKA_SASL_USERNAME');
      assert.equal(login?.value ?? null, kafkaLogins.includes(`sds-${role}`) ? `sds-${role}` : null, role);
    }
  });

  it('let every pod ask its dependencies, and nothing else', () => {
    const policies = manifests.filter(({ manifest }) => manifest.spec?.policyTypes?.includes('Egress') === true);
    assert.equal(policies.length, 1);
    const { podSelector, egress } = policies[0]?.manifest.spec ?? {};
    assert.deepEqual(podSelector, { matchLabels: { 'app.kubernetes.io/name': 'sds' } });
    const usual: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'postgres:': '5432' };
    const portOf = (address: string): string => {
      const { port, protocol } = new URL(address.includes('://') ? address : `kafka://${address}`);
      return port === '' ? (usual[protocol] ?? '') : port;
    };
    const addresses = [
      ...(shared.KAFKA_BROKERS ?? '').split(','),
      shared.SCHEMA_REGISTRY_URL ?? '',
      shared.S3_ENDPOINT ?? 'https://s3',
      secrets.DATABASE_URL ?? '',
      secrets.REDIS_URL ?? '',
    ];
    const wanted = ['TCP 53', 'UDP 53', ...addresses.map((address) => `TCP ${portOf(address)}`)];
    const allowed = egress?.flatMap(({ ports }) => ports.map(({ port, protocol }) => `${protocol} ${port}`)) ?? [];
    assert.deepEqual(allowed.toSorted(), wanted.toSorted());
  });

  it('and the Compose file let no role have more memory than the other, and at least what docs/deploy.md starts it with', () => {
    const { services } = readCompose();
    const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
    const rows = { api: 'API', ingest: 'push gateway', projectors: 'projectors' };
    for (const { container } of pods) {
      const limit = gibOf(container.resources.limits.memory);
      assert.equal(gibOf(services[container.name]?.mem_limit), limit, container.name);
      const row = rows[container.name as keyof typeof rows];
      if (row === undefined) continue;
      const [, asked] = new RegExp(`^\\| ${row} \\|.*\\| 1 core, ([\\d.]+) GiB`, 'm').exec(page) ?? [];
      assert.ok(Number(asked) <= limit, `${container.name}: ${asked} GiB of ${limit}`);
    }
  });

  it('name secrets that docs/deploy.md says how to make', () => {
    const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
    const named = pods.flatMap(({ spec, container }) => [
      ...container.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.key ?? []),
      ...spec.volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []),
    ]);
    assert.ok(named.length > 20);
    for (const key of named) assert.ok(page.includes(`\`${key}\``), key);
  });
});

describe('the units of systemd', () => {
  const [, ...words] = wordsOf(readDockerfile(), 'ENTRYPOINT');
  const command = words.join(' ').replace('/service/', '/opt/sds/');

  it('run a role by the flags by which the image runs it', () => {
    assert.deepEqual(readUnit('sds@.service').get('ExecStart'), [`/usr/bin/node ${command} start %i`]);
    assert.deepEqual(readUnit('sds-migrate.service').get('ExecStart'), [`/usr/bin/node ${command} migrate`]);
  });

  it('give settings that this version has', () => {
    for (const unit of ['sds@.service', 'sds-migrate.service']) {
      const names = (readUnit(unit).get('Environment') ?? [])
        .flatMap((line) => line.split(' '))
        .map((each) => each.split('=')[0]);
      assert.deepEqual(
        names.filter((name) => name === undefined || !known.has(name)),
        [],
        unit,
      );
    }
    const memory = readFileSync(
      new URL('../../../ops/systemd/sds@ingest.service.d/memory.conf', import.meta.url),
      'utf8',
    );
    assert.match(memory, /^EnvironmentFile=\/opt\/sds\/ops\/service\/gateway-memory\.env$/m);
  });

  it('give each role logins of its own, and at the object store where it has rights', () => {
    const credentials = readUnit('sds@.service').get('LoadCredential');
    assert.deepEqual(credentials, [
      'database-url:/etc/sds/secrets/database-url-%i',
      'key-peppers:/etc/sds/secrets/key-peppers',
    ]);
    for (const role of roles) {
      const needs = existsSync(new URL(`../../../ops/policies/s3-${role}.json`, import.meta.url));
      const dropIn = `sds@${role}.service.d/objects.conf`;
      assert.equal(existsSync(new URL(`../../../ops/systemd/${dropIn}`, import.meta.url)), needs, role);
      if (!needs) continue;
      const unit = readUnit(dropIn);
      assert.deepEqual(unit.get('LoadCredential'), ['s3-secret-key:/etc/sds/secrets/s3-secret-key-%i']);
      assert.deepEqual(unit.get('Environment'), ['AWS_SECRET_ACCESS_KEY_FILE=%d/s3-secret-key']);
    }
  });

  it('get a password of Kafka by the drop-in of docs/deploy.md, whose other settings of the login are of the role alone', () => {
    const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
    const [, dropIn = ''] = /^```ini\n(.*?)^```$/ms.exec(page) ?? [];
    const [, credential] = /^LoadCredential=([\w-]+):\/etc\/sds\/secrets\/[\w-]+$/m.exec(dropIn) ?? [];
    const [, setting = '', file] = /^Environment=(\w+)=%d\/([\w-]+)$/m.exec(dropIn) ?? [];
    assert.deepEqual([setting, file, dropIn.split('\n').length], ['KAFKA_SASL_PASSWORD_FILE', credential, 4]);
    const shared = {
      ...secrets,
      KAFKA_BROKERS: 'kafka:9092',
      SCHEMA_REGISTRY_URL: 'http://registry:8081',
      S3_BUCKET: 'sds',
    };
    const login = { KAFKA_SASL_USERNAME: 'sds', KAFKA_SASL_MECHANISM: 'plain', KAFKA_SECURITY_PROTOCOL: 'sasl_ssl' };
    settingsOf({ ...shared, ...login, [setting]: '/credentials/kafka-password' });
    for (const [name, value] of Object.entries(login)) {
      assert.ok(page.includes(`\`${name}\``), name);
      assert.throws(() => settingsOf({ ...shared, [name]: value }), /KAFKA_S/, `${name} in sds.env`);
    }
  });

  it('leave a role no rights, and start it again unless a person is needed', () => {
    const unit = readUnit('sds@.service');
    const only = (name: string) => unit.get(name);
    for (const name of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices', 'RestrictNamespaces'])
      assert.deepEqual(only(name), ['yes'], name);
    assert.deepEqual(only('ProtectSystem'), ['strict']);
    assert.deepEqual(only('CapabilityBoundingSet'), ['']);
    assert.deepEqual([only('User'), only('UMask')], [['sds'], ['0077']]);
    assert.deepEqual([only('Restart'), only('RestartPreventExitStatus')], [['on-failure'], ['2 3']]);
  });
});
