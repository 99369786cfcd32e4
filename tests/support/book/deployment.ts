// Reads the files that deploy the service: Compose, Kubernetes, systemd.
import { globSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

export type ComposeService = {
  image: string;
  command?: readonly string[];
  environment?: Readonly<Record<string, string | number>>;
  restart?: string;
  read_only?: boolean;
  mem_limit?: string;
  stop_grace_period?: string;
  cap_drop?: readonly string[];
  security_opt?: readonly string[];
  tmpfs?: readonly string[];
  ports?: readonly string[];
  networks?: readonly string[];
  volumes?: readonly string[];
  secrets?: readonly string[];
  configs?: readonly { source: string }[];
  env_file?: string;
  deploy?: { replicas: string };
};

export type Compose = {
  services: Readonly<Record<string, ComposeService>>;
  configs: Readonly<Record<string, { content: string; file?: string }>>;
  secrets: Readonly<Record<string, { file?: string }>>;
  networks: Readonly<Record<string, { internal?: boolean } | null>>;
};

export function readCompose(): Compose {
  return parse(read('ops/compose.yaml'), { merge: true }) as Compose;
}

export type Probe = { httpGet: { path: string; port: string } };
type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } };

export type Container = {
  name: string;
  image: string;
  args: readonly string[];
  env: readonly Variable[];
  ports?: readonly { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  securityContext: Readonly<Record<string, unknown>>;
  volumeMounts: readonly { name: string; mountPath: string; readOnly?: boolean }[];
  resources: { requests: Readonly<Record<string, string>>; limits: Readonly<Record<string, string>> };
};

/** A volume of a pod. `secret`: the keys of a Secret that become its files. */
type SecretVolume = {
  name: string;
  secret?: { secretName: string; defaultMode: number; items: readonly { key: string; path: string }[] };
};

export type Manifest = {
  kind: string;
  metadata: { name: string; labels?: Readonly<Record<string, string>> };
  data?: Readonly<Record<string, string>>;
  /** A member of a Kustomization. */
  resources?: readonly string[];
  spec?: {
    /** Of a NetworkPolicy. */
    podSelector?: { matchLabels: Readonly<Record<string, string>>; matchExpressions?: readonly unknown[] };
    policyTypes?: readonly string[];
    egress?: readonly { ports: readonly { port: number; protocol: string }[] }[];
    template?: {
      spec: {
        containers: readonly Container[];
        volumes: readonly SecretVolume[];
        securityContext: Readonly<Record<string, unknown>>;
        terminationGracePeriodSeconds?: number;
        automountServiceAccountToken?: boolean;
      };
    };
  };
};

/** Every object of the base and of its Kustomization. */
export function readManifests(): { file: string; manifest: Manifest }[] {
  return globSync('ops/kubernetes/*.yaml', { cwd: root })
    .sort()
    .flatMap((file) =>
      parseAllDocuments(read(file)).map((document) => ({ file, manifest: document.toJS() as Manifest })),
    );
}

/** The lines of a unit by name. */
export function readUnit(name: string): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  for (const line of read(`ops/systemd/${name}`).split('\n')) {
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined) lines.set(key, [...(lines.get(key) ?? []), value as string]);
  }
  return lines;
}

/** The variables of an environment file. */
export function readEnvironmentFile(path: string): Record<string, string> {
  const lines = read(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
