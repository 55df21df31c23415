import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChainTime } from '../control/chain-time.ts';
import type { ControlClient } from '../control/control-client.ts';
import { Faults } from '../control/faults.ts';
import type { ReplayResult } from '../control/replay-traffic.ts';
import { RequestJournal } from '../control/request-journal.ts';
import { Snapshots } from '../control/snapshots.ts';
import { LaunchError } from '../launch-error.ts';
import { addUser, type TestUser } from './add-user.ts';
import type { adminConfig } from './admin-config.ts';
import type { APIClient } from './api-client.ts';
import { kubeConfigData, trustOf } from './client-config.ts';
import { APIFunctionServer } from './functions/api-function-server.ts';
import type { Functions } from './functions/functions.ts';
import { Webhooks } from './functions/webhooks.ts';
import { installManifests } from './install-manifests.ts';
import type { TestCluster } from './start-cluster.ts';
import { startTenant } from './tenant.ts';
import type { TestEnvironment, TestEnvironmentOptions } from './test-environment.ts';

/** What an environment is made of. */
export interface EnvironmentParts {
  readonly options: TestEnvironmentOptions;
  readonly dataDir: string;
  readonly adminToken: string | undefined;
  readonly cluster: TestCluster;
  /** How its administrator connects. */
  readonly config: ReturnType<typeof adminConfig>;
  readonly client: APIClient;
  /** Undefined: it was started without the control API. */
  readonly control: ControlClient | undefined;
  readonly functions: Functions;
}

/** What is done with an environment from outside of it. */
export interface EnvironmentEnds {
  readonly fork: () => Promise<TestEnvironment>;
  /** Idempotent. */
  readonly stop: () => Promise<void>;
}

/** The environment as tests see it. Its methods can be taken off it: they know their environment without `this`. */
export function environmentOf(parts: EnvironmentParts, { fork, stop }: EnvironmentEnds): TestEnvironment {
  const { client, cluster, config, control, dataDir, functions } = parts;
  return {
    url: cluster.url,
    kubeconfig: cluster.kubeconfig,
    kubeconfigText: readFileSync(cluster.kubeconfig, 'utf8'),
    kubeConfig: kubeConfigData(config),
    adminToken: parts.adminToken,
    caCertificate: config.caCertificate,
    dataDir,
    addUser: (name, groups = []) => addUserTo(parts, name, groups),
    install: (...sources) => install(parts, sources),
    webhooks: new Webhooks(functions),
    apis: new APIFunctionServer(functions),
    errors: () => functions.errors(),
    get snapshots() {
      return new Snapshots(controlled(control));
    },
    get faults() {
      return new Faults(controlled(control));
    },
    get clock() {
      return new ChainTime(controlled(control));
    },
    get journal() {
      return new RequestJournal(controlled(control));
    },
    replay: (recording) => replay(client, recording),
    fork,
    tenant: async (name) => {
      controlled(control);
      return await startTenant({ dataDir, ...trustOf(config) }, name);
    },
    logs: (server) => readLogs(join(dataDir, 'logs'), server),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** @throws LaunchError for environments without the control API */
export function controlled(control: ControlClient | undefined): ControlClient {
  if (control !== undefined) return control;
  throw new LaunchError('Usage', 'the environment was not started with { control: true }');
}

/** Applies manifests: files, folders or YAML text. @throws LaunchError that names the object */
export async function install({ client }: EnvironmentParts, sources: readonly string[]): Promise<void> {
  // With it comes the reader of YAML, which most of the time of a first import would go to.
  const { readManifests } = await import('./read-manifests.ts');
  await installManifests(client, sources.flatMap(readManifests));
}

async function addUserTo(parts: EnvironmentParts, name: string, groups: readonly string[]): Promise<TestUser> {
  const { client, cluster, config, control, dataDir } = parts;
  // A chain that lives in the past knows no certificate of today.
  const chainMs = control === undefined ? Infinity : (await new ChainTime(control).now()).getTime();
  const nowMs = Math.min(Date.now(), chainMs);
  return addUser({ url: cluster.url, ...trustOf(config), dataDir, client, nowMs }, name, groups);
}

async function replay(client: APIClient, recording: string): Promise<ReplayResult> {
  const [{ readRecording }, { replayTraffic }] = await Promise.all([
    import('../control/journal-export.ts'),
    import('../control/replay-traffic.ts'),
  ]);
  const text = recording.startsWith('{') ? recording : readFileSync(recording, 'utf8');
  return await replayTraffic(client, readRecording(text));
}

function readLogs(folder: string, server: string | undefined): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log') && (server === undefined || name === `${server}.log`))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}
