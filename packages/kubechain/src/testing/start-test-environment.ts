import { Assembly } from '@kubechain/apiserver/assembly';
import type { ClockState } from '@kubechain/apiserver/control';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChainTime } from '../control/chain-time.ts';
import { ControlClient } from '../control/control-client.ts';
import { certifiedFromMs } from '../control/first-reading.ts';
import { Snapshots } from '../control/snapshots.ts';
import { LaunchError } from '../launch-error.ts';
import { serverOf } from '../pki/kubeconfig.ts';
import { ensurePKI } from '../pki/pki.ts';
import { adminConfig } from './admin-config.ts';
import { APIClient } from './api-client.ts';
import { environmentFlags, hasFlag } from './environment-flags.ts';
import { Functions } from './functions/functions.ts';
import { serveRights } from './functions/rights.ts';
import { checkNode } from './required-node.ts';
import { controlled, environmentOf, install, type EnvironmentParts } from './running-environment.ts';
import { startAsProcesses, startOnThread } from './start-cluster.ts';
import type { TestEnvironment, TestEnvironmentOptions } from './test-environment.ts';

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
  if (seed === undefined) return start(options);
  if (!Number.isSafeInteger(seed) || seed < 0)
    return Promise.reject(new LaunchError('Usage', `seed must be a whole number from 0 on, not ${seed}`));
  return start({ ...options, control: true });
}

/** What an environment begins with. */
interface Origin {
  /** Text of a snapshot; without one, and without a fork, the environment is empty. */
  readonly snapshot?: string | undefined;
  /** Of a fork: the folder of the certificates and keys of the environment that it comes from, and its time. */
  readonly fork?: { readonly pki: string; readonly time: ClockState };
}

async function start(options: TestEnvironmentOptions, forked?: Origin): Promise<TestEnvironment> {
  checkNode();
  const assembly = new Assembly();
  try {
    const origin =
      forked ?? (options.fromSnapshot === undefined ? {} : { snapshot: readFileSync(options.fromSnapshot, 'utf8') });
    const parts = await openParts(assembly, options, origin);
    await fill(parts, origin);
    return environmentOf(parts, { fork: () => fork(parts), stop: () => assembly.close() });
  } catch (error) {
    await assembly.close();
    throw error;
  }
}

/** Starts the servers, and whatever they need to be there before them. */
async function openParts(
  assembly: Assembly,
  options: TestEnvironmentOptions,
  origin: Origin,
): Promise<EnvironmentParts> {
  const { controllers, etcdServers, flags = [], securePort, seed, servers, topology = 'all-in-one' } = options;
  const dataDir = openDataDir(assembly, options.dataDir);
  const pki = join(dataDir, 'pki');
  const adminToken = hasFlag(flags, 'token-auth-file') ? undefined : randomBytes(24).toString('base64url');
  await takeKeys(pki, origin);
  const connection: { client?: APIClient } = {};
  const functions = assembly.open(
    'functions',
    () =>
      new Functions({
        dataDir,
        get client() {
          if (connection.client === undefined) throw new LaunchError('Usage', 'the environment is not there yet');
          return connection.client;
        },
        get caCertificate() {
          return readFileSync(join(pki, 'ca.crt'), 'utf8');
        },
        kept: options.dataDir !== undefined || etcdServers !== undefined,
      }),
    (opened) => opened.close(),
  );
  const rights = await openRights(functions, options);
  const startCluster = topology === 'processes' ? startAsProcesses : startOnThread;
  const cluster = await assembly.open(
    'cluster',
    () =>
      startCluster({
        dataDir,
        keep: options.dataDir !== undefined,
        flags: [...environmentFlags(options, dataDir, adminToken), ...rights, ...flags],
        etcdServers,
        securePort,
        controllers,
        servers,
        seed,
      }),
    (opened) => opened.stop(),
  );
  const config = adminConfig(serverOf(readFileSync(cluster.kubeconfig, 'utf8')), pki);
  const client = assembly.open(
    'client',
    () => new APIClient(config),
    (opened) => {
      opened.close();
    },
  );
  connection.client = client;
  assembly.open(
    'what servers know of functions',
    () => functions,
    (opened) => opened.retire(),
  );
  const control = options.control === true ? new ControlClient(dataDir) : undefined;
  return { options, dataDir, adminToken, cluster, config, client, control, functions };
}

/** The folder that the options name, or a temporary one that goes with the environment. */
function openDataDir(assembly: Assembly, given: string | undefined): string {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'kubechain-test-'));
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (given !== undefined) return dataDir;
  const remove = (): void => {
    rmSync(dataDir, { recursive: true, force: true });
  };
  return assembly.open(
    'data directory',
    () => {
      // A process that ends without `stop` takes the thread with it, and leaves no files.
      process.once('exit', remove);
      return dataDir;
    },
    () => {
      process.off('exit', remove);
      remove();
    },
  );
}

/** Keys that what is in the snapshot was signed with. */
async function takeKeys(pki: string, { fork: forked, snapshot }: Origin): Promise<void> {
  if (forked !== undefined) cpSync(forked.pki, pki, { recursive: true });
  else if (snapshot !== undefined) {
    const { adoptSigningKey } = await import('../pki/adopt-signing-key.ts');
    adoptSigningKey(pki, snapshot);
  }
}

/** Functions that servers ask for rights: these have to be there before them. Resolves to the servers' flags. */
async function openRights(functions: Functions, options: TestEnvironmentOptions): Promise<readonly string[]> {
  const { audit, authenticate, authorize, control, seed } = options;
  if ([audit, authenticate, authorize].every((given) => given === undefined)) return [];
  const pki = join(functions.place.dataDir, 'pki');
  mkdirSync(pki, { recursive: true, mode: 0o700 });
  const nowMs = certifiedFromMs(seed, Date.now());
  const { admin } = await ensurePKI(pki, { nowMs, lasting: control === true });
  await admin;
  return serveRights(functions, options);
}

/** Puts in what the environment holds when it is there. */
async function fill(parts: EnvironmentParts, { fork: forked, snapshot }: Origin): Promise<void> {
  const { control, options } = parts;
  const { crds = [], seed } = options;
  if (seed !== undefined) await new Snapshots(controlled(control)).settle();
  if (forked !== undefined) await new ChainTime(controlled(control)).take(forked.time);
  if (snapshot !== undefined) await new Snapshots(controlled(control)).loadText(snapshot);
  if (crds.length > 0) await install(parts, crds);
  if (control !== undefined) await new Snapshots(control).begin();
}

async function fork({ control, dataDir, options }: EnvironmentParts): Promise<TestEnvironment> {
  const snapshots = new Snapshots(controlled(control));
  const name = `fork-${randomBytes(6).toString('hex')}`;
  await snapshots.save(name);
  const snapshot = await snapshots.text(name);
  await snapshots.remove(name);
  const { dataDir: _dir, securePort: _port, etcdServers: _etcd, fromSnapshot: _from, crds: _crds, ...same } = options;
  const time = await new ChainTime(controlled(control)).state();
  return start(same, { snapshot, fork: { pki: join(dataDir, 'pki'), time } });
}
