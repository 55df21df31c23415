import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Assembly } from '@kubechain/apiserver';
import type { ServerEnvironment } from '@kubechain/apiserver';
import { openEmbeddedStore } from '@kubechain/embedded-etcd';
import { commonFlags } from '../chain/chain-plan.ts';
import { readServerFlags, type GivenFlag } from '../chain/route-flags.ts';
import { openDataDir, type DataDir } from '../data-dir/data-dir.ts';
import { lockProcess } from '../data-dir/process-lock.ts';
import { ensureKubeconfig } from '../pki/kubeconfig.ts';
import { ensurePKI, type PKI } from '../pki/pki.ts';
import { freePort } from '../testing/free-port.ts';
import { assembleAllInOne, serverFlags } from './assemble.ts';
import { DirectClient } from './direct-client.ts';
import { runServer, type RunningServer } from './run-server.ts';

/** How a whole cluster is run in one process. */
export interface AllInOneOptions {
  /** Certificates, kubeconfig and store; kept. Default: a temporary directory, which `close` removes. */
  readonly dataDir?: string;
  /** Keep objects in memory instead of the directory's store; they are gone with `close`. Default: without `dataDir`. */
  readonly memory?: boolean;
  /** HTTPS port on 127.0.0.1. Default 0: a free one. */
  readonly securePort?: number;
  /** kube-apiserver's flags, as for `kubechain up`: `['--enable-admission-plugins=NodeRestriction', '-v=2']`. */
  readonly flags?: readonly string[];
  /** Where certificates are kept that several environments share; default: the data directory's own. */
  readonly pkiDirectory?: string;
}

/** A running cluster: one store and three servers in this process. */
export interface AllInOne {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** Path of a kubeconfig with full rights. */
  readonly kubeconfig: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly caCertificate: string;
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  /** Resolves when everything is closed; rejects when a server ended by itself, after the rest has been closed. */
  readonly ended: Promise<void>;
  /** Ends watches, lets requests finish, closes servers and store, and removes what was temporary. Idempotent. */
  close(): Promise<void>;
}

/** Stands for the store of this process where servers name theirs. */
const thisProcess = 'http://store-of-this-process';

/**
 * Runs the store and the three servers in this process, on its event loop: the store is called, and requests are handed
 * from server to server, without sockets between. Resolves when all are ready. Any number run side by side.
 * @throws LaunchError, OptionsError in one line when it cannot start; everything is closed then
 */
export async function startAllInOne(options: AllInOneOptions = {}): Promise<AllInOne> {
  const assembly = new Assembly();
  const stop = new AbortController();
  try {
    const given = readServerFlags(options.flags ?? [], serverFlags);
    const place = await openPlace(assembly, options);
    const port = options.securePort === undefined || options.securePort === 0 ? await freePort() : options.securePort;
    const url = `https://127.0.0.1:${port}`;
    ensureKubeconfig(place.dir.kubeconfig, {
      server: url,
      caCertificate: place.pki.caCertificate,
      client: place.pki.admin,
    });
    const servers = await assembleAllInOne({
      assembly,
      given,
      defaults: new Map([
        ...commonFlags(place.pki, thisProcess),
        ['secure-port', String(port)],
        ['kubernetes-service-port', String(port)],
      ]),
      environment: {
        clock: { now: () => Date.now() },
        signal: stop.signal,
        ...openStore(assembly, { dir: place.dir, given, memory: options.memory ?? options.dataDir === undefined }),
      },
    });
    // The first of the chain stops first: it has the requests.
    const running = servers.toReversed().map((server) =>
      assembly.open(
        server.name,
        () => runServer(server),
        (run) => run.stop(),
      ),
    );
    await Promise.all(running.map(({ started }) => started));
    return {
      url,
      kubeconfig: place.dir.kubeconfig,
      caCertificate: place.pki.caCertificate,
      dataDir: place.dir.root,
      ended: closedWith(assembly, running),
      close: () => assembly.close(),
    };
  } catch (error) {
    stop.abort();
    await assembly.close();
    throw error;
  }
}

interface Place {
  readonly dir: DataDir;
  readonly pki: PKI;
}

/** Makes directory and certificates. */
async function openPlace(assembly: Assembly, { dataDir, pkiDirectory }: AllInOneOptions): Promise<Place> {
  const root =
    dataDir ??
    assembly.open(
      'temporary directory',
      () => mkdtempSync(join(tmpdir(), 'kubechain-')),
      (path) => {
        rmSync(path, { recursive: true, force: true });
      },
    );
  const dir = openDataDir(root);
  if (dataDir !== undefined)
    await assembly.open(
      'lock',
      () => lockProcess(dir, 'all-in-one'),
      (lock) => lock.release(),
    );
  return { dir, pki: await ensurePKI(pkiDirectory ?? dir.pki, { nowMs: Date.now() }) };
}

/** Opens the store, unless the user has named one of his own. */
function openStore(
  assembly: Assembly,
  { dir, given, memory }: { readonly dir: DataDir; readonly given: readonly GivenFlag[]; readonly memory: boolean },
): Pick<ServerEnvironment, 'createEtcdClient'> {
  if (given.some(({ name }) => name === 'etcd-servers')) return {};
  const store = assembly.open(
    'store',
    () => openEmbeddedStore({ dataFile: memory ? ':memory:' : dir.storeFile }),
    (opened) => {
      opened.close();
    },
  );
  return {
    createEtcdClient: (servers) => (servers.join() === thisProcess ? new DirectClient(store) : undefined),
  };
}

/** A server that ends by itself takes the others with it. */
async function closedWith(assembly: Assembly, running: readonly RunningServer[]): Promise<void> {
  try {
    await Promise.all(running.map(({ ended }) => ended));
  } finally {
    await assembly.close();
  }
}
