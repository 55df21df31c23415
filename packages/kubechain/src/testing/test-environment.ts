import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledPrograms } from '../bundle/bundled-programs.ts';
import { startChain } from '../chain/chain.ts';
import { readServerFlags } from '../chain/route-flags.ts';
import {
  findControllersProcess,
  findServerProcess,
  SERVER_NAMES,
  type ServerProcess,
} from '../chain/server-process.ts';
import { freePort } from './free-port.ts';

export interface TestEnvironmentOptions {
  /** kube-apiserver flags, as for `kubechain up`, e.g. `['--feature-gates=…']`. */
  readonly flags?: readonly string[];
  /** A real etcd instead of the embedded store. */
  readonly etcdServers?: string;
  /** Kept when given; otherwise a temporary directory that `stop` removes. */
  readonly dataDir?: string;
  /** Default: a free one. */
  readonly securePort?: number;
  /**
   * Controllers that run beside the servers, as `kubechain up --controllers`: `['lifecycle']`, `['*']`, `['namespace']`.
   * Default: none, the bare API.
   */
  readonly controllers?: readonly string[];
  /** For specs of this package: other programs in the servers' place. */
  readonly servers?: readonly ServerProcess[];
}

/** A running API server for tests. */
export interface TestEnvironment {
  readonly url: string;
  /** Path of a kubeconfig with full rights. */
  readonly kubeconfig: string;
  /** Bearer token with full rights; absent when `flags` bring a token file of their own. */
  readonly adminToken: string | undefined;
  /** PEM of the CA that signed the server's certificate. */
  readonly caCertificate: string;
  readonly dataDir: string;
  /** Ends all processes and removes what was temporary. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts a whole chain for tests: a data directory and a port of its own, so that any number run side by side.
 *
 *     before(async () => (env = await startTestEnvironment()));
 *     after(() => env.stop());
 *
 * Processes end with the test process, however that ends.
 * @throws LaunchError in one line when it cannot start
 */
export async function startTestEnvironment(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  const servers = options.servers ?? (await Promise.all(SERVER_NAMES.map(findServerProcess)));
  const programs = bundledPrograms();
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'kubechain-test-'));
  const remove = (): void => {
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const controllers = options.controllers === undefined ? undefined : await findControllersProcess();
    const serverFlags = readServerFlags(
      options.flags ?? [],
      controllers === undefined ? servers : [...servers, controllers],
    );
    const adminToken = serverFlags.some(({ name }) => name === 'token-auth-file')
      ? undefined
      : randomBytes(24).toString('base64url');
    if (adminToken !== undefined) {
      const tokenFile = join(dataDir, 'tokens.csv');
      writeFileSync(tokenFile, `${adminToken},admin,admin,system:masters\n`, { mode: 0o600 });
      serverFlags.unshift({ name: 'token-auth-file', arguments: [`--token-auth-file=${tokenFile}`] });
    }
    const chain = await startChain(
      {
        dataDir,
        securePort: options.securePort ?? (await freePort()),
        securePortGiven: true,
        serverFlags,
        ...(options.controllers === undefined ? {} : { controllers: options.controllers.join() }),
        ...(options.etcdServers === undefined ? {} : { etcdServers: options.etcdServers }),
      },
      {
        servers,
        ...(controllers === undefined ? {} : { controllers }),
        nowMs: Date.now(),
        ...(programs === undefined ? {} : { programs }),
      },
    );
    return {
      url: chain.url ?? '',
      kubeconfig: chain.kubeconfig,
      adminToken,
      dataDir: chain.dir.root,
      caCertificate: readFileSync(join(chain.dir.pki, 'ca.crt'), 'utf8'),
      stop: async () => {
        await chain.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
