import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClockState } from '@kubechain/apiserver/control';
import { ChainTime } from '../control/chain-time.ts';
import { controlAddress } from '../control/control-address.ts';
import { certifiedFromMs } from '../control/first-reading.ts';
import { ControlClient } from '../control/control-client.ts';
import { Faults } from '../control/faults.ts';
import type { ReplayResult } from '../control/replay-traffic.ts';
import { RequestJournal } from '../control/request-journal.ts';
import { Snapshots } from '../control/snapshots.ts';
import { LaunchError } from '../launch-error.ts';
import type { ServerProcess } from '../chain/server-process.ts';
import { adminConfig } from './admin-config.ts';
import { APIClient } from './api-client.ts';
import { APIFunctionServer } from './functions/api-function-server.ts';
import type { FunctionError } from './functions/function-errors.ts';
import { Functions } from './functions/functions.ts';
import { Webhooks } from './functions/webhooks.ts';
import { addUser, type TestUser } from './add-user.ts';
import { kubeConfigData, type KubeConfigData } from './client-config.ts';
import { serveRights, type RightsFunctions } from './functions/rights.ts';
import { ensurePKI } from '../pki/pki.ts';
import { installManifests } from './install-manifests.ts';
import { checkNode } from './required-node.ts';
import { startTenant, type TestTenant } from './tenant.ts';
import { startAsProcesses, startOnThread } from './start-cluster.ts';

/** What an environment is like; without any: an empty cluster on this machine. */
export interface TestEnvironmentOptions extends RightsFunctions {
  /**
   * Installed before the environment is there, and served: files, folders, or YAML text. `['config/crd']`. Default:
   * nothing.
   */
  readonly crds?: readonly string[];
  /** kube-apiserver's flags, as for `kubechain up`, e.g. `['--feature-gates=…']`. */
  readonly flags?: readonly string[];
  /**
   * `all-in-one`: store and servers on a thread of this process, objects in memory; starts fastest. `processes`: the
   * chain as `kubechain up` runs it. Default: `all-in-one`.
   */
  readonly topology?: 'all-in-one' | 'processes';
  /**
   * Controllers that run beside the servers, as `kubechain up --controllers`: `['lifecycle']`, `['*']`,
   * `['namespace']`. Default: none, the bare API.
   */
  readonly controllers?: readonly string[];
  /**
   * Whether pods need service accounts, which without controllers nobody makes. Default: false, as in envtest. `flags`
   * that enable or disable admission plugins decide for themselves.
   */
  readonly serviceAccountAdmission?: boolean;
  /**
   * Whether `snapshots`, `faults` and `journal` are there (the control API). Default: false, and then they cost
   * nothing.
   */
  readonly control?: boolean;
  /**
   * Two environments with the same one answer the same calls alike: uids, generated names, addresses, ports, times,
   * resourceVersions. The clock stands still, from always the same moment on, until it is moved. Brings `control`.
   */
  readonly seed?: number;
  /** A file that `snapshots.writeFile` has written: what the environment holds when it is there. Needs `control`. */
  readonly fromSnapshot?: string;
  /** A real etcd instead of the embedded store. */
  readonly etcdServers?: string;
  /** Kept when given, with all objects; otherwise a temporary directory that `stop` removes. */
  readonly dataDir?: string;
  /** Default: a free one. */
  readonly securePort?: number;
  /** For specs of this package: other programs in the servers' place. */
  readonly servers?: readonly ServerProcess[];
}

/** A running API server for tests. */
export interface TestEnvironment extends AsyncDisposable {
  readonly url: string;
  /** Path of a kubeconfig with full rights. */
  readonly kubeconfig: string;
  /** The text of that file. */
  readonly kubeconfigText: string;
  /** The same for @kubernetes/client-node: `new KubeConfig().loadFromOptions(env.kubeConfig)`. */
  readonly kubeConfig: KubeConfigData;
  /** Bearer token with full rights; absent when `flags` bring a token file of their own. */
  readonly adminToken: string | undefined;
  /** PEM of the CA that signed the server's certificate. */
  readonly caCertificate: string;
  readonly dataDir: string;
  /**
   * A user with a client certificate, known by name and groups alone; `system:serviceaccount:NAMESPACE:NAME` with a
   * token of that service account, which is made where it is not there. What they may do is up to RBAC.
   */
  addUser(name: string, groups?: readonly string[]): Promise<TestUser>;
  /**
   * Applies YAML or JSON text, a file, or the files of a folder, and waits until custom resources are served.
   * @throws LaunchError that names the object
   */
  install(...sources: readonly string[]): Promise<void>;
  /** Webhooks of admission and conversion that are functions of the test. */
  readonly webhooks: Webhooks;
  /** Aggregated APIs that are functions of the test. */
  readonly apis: APIFunctionServer;
  /**
   * What functions have thrown, and their time-outs, since this was asked last. What nobody asks for is thrown by
   * `stop`.
   */
  errors(): Promise<readonly FunctionError[]>;
  /** States that are saved and put back. Of environments with `control`. @throws LaunchError for others */
  readonly snapshots: Snapshots;
  /** Faults that requests meet. Of environments with `control`. @throws LaunchError for others */
  readonly faults: Faults;
  /** The time of everything in the chain. Of environments with `control`. @throws LaunchError for others */
  readonly clock: ChainTime;
  /** What was asked, and what came of it. Of environments with `control`. @throws LaunchError for others */
  readonly journal: RequestJournal;
  /**
   * Sends the requests of a recording (`journal.text('jsonl', { bodies: true })`: its text, or a file of it) with full
   * rights, and compares the answers. @throws LaunchError for what is no recording
   */
  replay(recording: string): Promise<ReplayResult>;
  /**
   * Another environment from the state of this one: its objects, keys and time, on a store and a port of its own. Users
   * and their tokens are known to both, the administrator's token is not. Of environments with `control`. @throws
   * LaunchError for others
   */
  fork(): Promise<TestEnvironment>;
  /**
   * A chain of its own on the port of this one, for a test or a file of tests, without a process of its own. Of
   * environments with `control`. @throws LaunchError for others, and for a name that is none or is taken
   */
  tenant(name: string): Promise<TestTenant>;
  /** What the servers have logged so far; or one of them, where they are processes (`kube-apiserver`). */
  logs(server?: string): string;
  /**
   * Ends everything and removes what was temporary. Idempotent. @throws what functions have thrown and nobody has
   * asked for
   */
  stop(): Promise<void>;
}

/**
 * Starts an API server for tests: with a data directory and a port of its own, so that any number run side by side.
 *
 *     await using env = await startTestEnvironment({ crds: ['config/crd'] });
 *
 * It ends with the test process, however that ends.
 * @throws LaunchError in one line when it cannot start
 */
export function startTestEnvironment(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  const { seed } = options;
  if (seed === undefined) return start(options, undefined);
  if (!Number.isSafeInteger(seed) || seed < 0)
    return Promise.reject(new LaunchError('Usage', `seed must be a whole number from 0 on, not ${seed}`));
  return start({ ...options, control: true }, undefined);
}

/** What a fork has of the environment that it comes from. */
interface Origin {
  /** The folder of its certificates and keys. */
  readonly pki: string;
  readonly snapshot: string;
  readonly time: ClockState;
}

async function start(options: TestEnvironmentOptions, origin: Origin | undefined): Promise<TestEnvironment> {
  checkNode();
  const { controllers, crds = [], etcdServers, flags = [], securePort, servers } = options;
  const { seed, topology = 'all-in-one' } = options;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'kubechain-test-'));
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const undo: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    const failed: unknown[] = [];
    for (let step = undo.pop(); step !== undefined; step = undo.pop())
      try {
        await step();
      } catch (error) {
        failed.push(error);
      }
    if (failed.length > 0) throw failed[0];
  };
  if (options.dataDir === undefined) {
    const remove = (): void => {
      rmSync(dataDir, { recursive: true, force: true });
    };
    // A process that ends without `stop` takes the thread with it, and leaves no files.
    process.once('exit', remove);
    undo.push(() => {
      process.off('exit', remove);
      remove();
    });
  }
  try {
    const adminToken = hasFlag(flags, 'token-auth-file') ? undefined : randomBytes(24).toString('base64url');
    const snapshot = options.fromSnapshot === undefined ? undefined : readFileSync(options.fromSnapshot, 'utf8');
    if (snapshot !== undefined) {
      const { adoptSigningKey } = await import('../pki/adopt-signing-key.ts');
      adoptSigningKey(join(dataDir, 'pki'), snapshot);
    }
    if (origin !== undefined) cpSync(origin.pki, join(dataDir, 'pki'), { recursive: true });
    const startCluster = topology === 'processes' ? startAsProcesses : startOnThread;
    const connection: { client?: APIClient } = {};
    const functions = new Functions({
      dataDir,
      get client() {
        if (connection.client === undefined) throw new LaunchError('Usage', 'the environment is not there yet');
        return connection.client;
      },
      get caCertificate() {
        return readFileSync(join(dataDir, 'pki', 'ca.crt'), 'utf8');
      },
      kept: options.dataDir !== undefined || etcdServers !== undefined,
    });
    undo.push(() => functions.close());
    const hasRights = [options.audit, options.authenticate, options.authorize].some((given) => given !== undefined);
    // They have to be there before the servers that ask them.
    if (hasRights) {
      mkdirSync(join(dataDir, 'pki'), { recursive: true, mode: 0o700 });
      const nowMs = certifiedFromMs(seed, Date.now());
      const { admin } = await ensurePKI(join(dataDir, 'pki'), { nowMs, lasting: options.control === true });
      await admin;
    }
    const rights = hasRights ? await serveRights(functions, options) : [];
    const cluster = await startCluster({
      dataDir,
      keep: options.dataDir !== undefined,
      flags: [...addedFlags(options, dataDir, adminToken), ...rights, ...flags],
      etcdServers,
      securePort,
      controllers,
      servers,
      seed,
    });
    undo.push(() => cluster.stop());
    const config = adminConfig(cluster.url, join(dataDir, 'pki'));
    const client = new APIClient(config);
    connection.client = client;
    undo.push(() => {
      client.close();
    });
    undo.push(() => functions.retire());
    const install = async (...sources: readonly string[]): Promise<void> => {
      // With it comes the reader of YAML, which most of the time of a first import would go to.
      const { readManifests } = await import('./read-manifests.ts');
      await installManifests(client, sources.flatMap(readManifests));
    };
    const control = options.control === true ? new ControlClient(dataDir) : undefined;
    if (seed !== undefined) await new Snapshots(controlled(control)).settle();
    if (snapshot !== undefined) await new Snapshots(controlled(control)).loadText(snapshot);
    if (origin !== undefined) {
      await new ChainTime(controlled(control)).take(origin.time);
      await new Snapshots(controlled(control)).loadText(origin.snapshot);
    }
    if (crds.length > 0) await install(...crds);
    if (control !== undefined) await new Snapshots(control).begin();
    let stopped: Promise<void> | undefined;
    const end = (): Promise<void> => (stopped ??= stop());
    return {
      url: cluster.url,
      kubeconfig: cluster.kubeconfig,
      kubeconfigText: readFileSync(cluster.kubeconfig, 'utf8'),
      kubeConfig: kubeConfigData(config),
      adminToken,
      caCertificate: config.caCertificate,
      dataDir,
      addUser: async (name, groups = []) => {
        // A chain that lives in the past knows no certificate of today.
        const chainMs = control === undefined ? Infinity : (await new ChainTime(control).now()).getTime();
        const nowMs = Math.min(Date.now(), chainMs);
        const place = { url: cluster.url, caCertificate: config.caCertificate, dataDir, client, nowMs };
        return addUser(place, name, groups);
      },
      install,
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
      replay: async (recording) => {
        const [{ readRecording }, { replayTraffic }] = await Promise.all([
          import('../control/journal-export.ts'),
          import('../control/replay-traffic.ts'),
        ]);
        const text = recording.startsWith('{') ? recording : readFileSync(recording, 'utf8');
        return await replayTraffic(client, readRecording(text));
      },
      fork: async () => {
        const snapshots = new Snapshots(controlled(control));
        const name = `fork-${randomBytes(6).toString('hex')}`;
        await snapshots.save(name);
        const snapshot = await snapshots.text(name);
        await snapshots.remove(name);
        const {
          dataDir: _dir,
          securePort: _port,
          etcdServers: _etcd,
          fromSnapshot: _from,
          crds: _crds,
          ...same
        } = options;
        return start(same, {
          pki: join(dataDir, 'pki'),
          snapshot,
          time: await new ChainTime(controlled(control)).state(),
        });
      },
      tenant: async (name) => {
        controlled(control);
        return await startTenant({ dataDir, caCertificate: config.caCertificate }, name);
      },
      logs: (server) => readLogs(join(dataDir, 'logs'), server),
      stop: end,
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function controlled(control: ControlClient | undefined): ControlClient {
  if (control !== undefined) return control;
  throw new LaunchError('Usage', 'the environment was not started with { control: true }');
}

function hasFlag(flags: readonly string[], name: string): boolean {
  return flags.some((flag) => flag.replaceAll('_', '-').split('=', 1)[0] === `--${name}`);
}

/** What environments for tests have besides, unless the user decides otherwise. */
function addedFlags(
  { control = false, flags = [], serviceAccountAdmission = false }: TestEnvironmentOptions,
  dataDir: string,
  adminToken: string | undefined,
): string[] {
  const added: string[] = control ? [`--control-listen=${controlAddress(dataDir)}`] : [];
  if (adminToken !== undefined) {
    const tokenFile = join(dataDir, 'tokens.csv');
    writeFileSync(tokenFile, `${adminToken},admin,admin,system:masters\n`, { mode: 0o600 });
    added.push(`--token-auth-file=${tokenFile}`);
  }
  const chosen = ['disable-admission-plugins', 'enable-admission-plugins'].some((name) => hasFlag(flags, name));
  if (!serviceAccountAdmission && !chosen) added.push('--disable-admission-plugins=ServiceAccount');
  return added;
}

function readLogs(folder: string, server: string | undefined): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log') && (server === undefined || name === `${server}.log`))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}
