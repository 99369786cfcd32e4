// Claim: the tools that read the files of ops/ take them: Compose's loader, kubeconform and kubernetes-validate with the schemas of Kubernetes,
// Kustomize, systemd. What the files have to say is whole/repository/deployment.unit's. No engine, cluster or manager of units runs anything here.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { roles } from '../../../ops/service/roles.ts';
import { readManifests } from '../../support/book/deployment.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { composeLoader } from '../../support/services/compose-loader.ts';
import { findProgram, run } from '../../support/services/installed.ts';
import { kubeconform, kubernetesValidate, writeStrictSchemas } from '../../support/services/kubeconform.ts';
import { ServiceMissing } from '../../support/services/missing.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const ops = fileURLToPath(new URL('../../../ops/', import.meta.url));

/** The path of what was installed, or why it cannot be. */
async function orMissing(get: () => Promise<string>): Promise<{ path: string; skip: string | false }> {
  try {
    return { path: await get(), skip: false };
  } catch (error) {
    if (!(error instanceof ServiceMissing) || process.env.SDS_REQUIRE_SERVICES === '1') throw error;
    return { path: '', skip: error.message };
  }
}

const [compose, kubernetes, conform] = await Promise.all([
  orMissing(composeLoader),
  orMissing(kubernetesValidate),
  orMissing(kubeconform),
]);
const kubectl = findProgram('kubectl');
const systemd = findProgram('systemd-analyze');

describe('the Compose file', skipFor(compose.skip), () => {
  it('is loaded by Compose, and refused without its secrets', async () => {
    const folder = makeDataFolder('compose-secrets');
    cpSync(join(ops, 'compose.yaml'), join(folder, 'compose.yaml'));
    const load = () => run(compose.path, [join(folder, 'compose.yaml')]);
    await assert.rejects(load(), /registry\.env/);
    mkdirSync(join(folder, 'secrets'));
    writeFileSync(join(folder, 'secrets/registry.env'), 'REGISTRY_DATASOURCE_PASSWORD=given\n');
    const names = JSON.parse(await load()) as string[];
    for (const role of ['migrate', ...roles]) assert.ok(names.includes(role), role);
    const wrong = join(makeDataFolder('compose'), 'compose.yaml');
    writeFileSync(wrong, 'name: x\nservices: { a: { image: b, read_onli: true } }\n');
    await assert.rejects(run(compose.path, [wrong]), /read_onli/);
  });
});

describe('the Kubernetes manifests', skipFor(kubernetes.skip), () => {
  const check = [
    'import json, sys, kubernetes_validate',
    'for line in sys.argv[2:]:',
    '    try: kubernetes_validate.validate(json.loads(line), sys.argv[1], strict=True)',
    '    except kubernetes_validate.ValidationError as error: sys.exit(error.message[:300])',
  ].join('\n');
  const objects = readManifests()
    .filter(({ file }) => !file.endsWith('kustomization.yaml'))
    .map(({ manifest }) => JSON.stringify(manifest));

  for (const version of ['1.30', '1.37']) {
    it(`are what the schemas of Kubernetes ${version} ask for`, async () => {
      assert.ok(objects.length >= 12);
      await run(kubernetes.path, ['-c', check, version, ...objects]);
      const wrong = objects.map((object) => object.replace('"replicas"', '"replikas"'));
      await assert.rejects(run(kubernetes.path, ['-c', check, version, ...wrong]), /replikas/);
    });
  }

  const kinds = [...new Set(readManifests().map(({ manifest }) => manifest.kind))];
  for (const version of ['1.30', '1.37']) {
    it(`are valid for kubeconform with the schemas of ${version}`, skipFor(conform.skip), async () => {
      const folder = makeDataFolder('kubeconform');
      const location = writeStrictSchemas(kubernetes.path, version, kinds, join(folder, 'schemas'));
      const judged = (...files: string[]) => run(conform.path, ['-strict', '-schema-location', location, ...files]);
      const files = new Set(readManifests().map(({ file }) => file.replace(/^ops\//, ops)));
      files.delete(join(ops, 'kubernetes/kustomization.yaml'));
      const { summary } = JSON.parse(await judged('-summary', '-output', 'json', ...files)) as {
        summary: Record<string, number>;
      };
      assert.deepEqual(summary, { valid: objects.length, invalid: 0, errors: 0, skipped: 0 });
      // Each misspelled field is of another kind of object, and deeper than its first level.
      for (const [file, field] of [
        ['api.yaml', 'readOnlyRootFilesystem'],
        ['ingest.yaml', 'maxUnavailable'],
        ['migrate.yaml', 'backoffLimit'],
        ['network.yaml', 'podSelector'],
        ['settings.yaml', 'data'],
      ] as const) {
        const text = readFileSync(join(ops, 'kubernetes', file), 'utf8');
        const wrong = join(folder, file);
        writeFileSync(wrong, text.replaceAll(`${field}:`, `${field}s:`));
        await assert.rejects(judged(wrong), new RegExp(`${field}s`), field);
      }
    });
  }

  it('are built by Kustomize', skipFor(kubectl === undefined && 'there is no kubectl on this machine'), async () => {
    const built = await run(kubectl ?? '', ['kustomize', join(ops, 'kubernetes')]);
    assert.equal(built.split(/^---$/m).length, objects.length);
    assert.match(built, /image: sports-data-service:\d/);
  });
});

describe('the units', skipFor(systemd === undefined && 'there is no systemd-analyze on this machine'), () => {
  const folder = makeDataFolder('units');
  cpSync(join(ops, 'systemd'), folder, { recursive: true });
  const units = readdirSync(folder).filter((name) => /\.(service|target)$/.test(name));
  for (const name of units) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replace('/usr/bin/node', process.execPath));
  }

  it('are taken by systemd, without a word', async () => {
    assert.ok(units.length >= 3);
    const paths = units.map((name) => join(folder, name));
    assert.equal((await run(systemd ?? '', ['verify', '--man=no', ...paths])).trim(), '');
    const wrong = join(folder, 'wrong.service');
    writeFileSync(wrong, '[Service]\nExecStart=/nowhere/node\n');
    await assert.rejects(run(systemd ?? '', ['verify', '--man=no', wrong]), /not executable/);
  });

  it('leave little to be attacked', async () => {
    for (const name of units.filter((each) => each.endsWith('.service'))) {
      const said = await run(systemd ?? '', ['security', '--offline=true', '--no-pager', join(folder, name)]);
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);
      assert.ok(exposure < 2, `${name}: ${exposure}`);
    }
  });
});
