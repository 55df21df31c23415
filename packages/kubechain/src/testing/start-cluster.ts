import { ClusterThread } from '../all-in-one/cluster-thread.ts';
import { bundledPrograms } from '../bundle/bundled-programs.ts';
import type { ServerProcess } from '../chain/server-process.ts';
import { freePort } from './free-port.ts';

/** What a cluster for tests is started with. */
export interface ClusterOptions {
  readonly dataDir: string;
  /** Whether what is stored is to be found there afterwards. */
  readonly keep: boolean;
  readonly flags: readonly string[];
  readonly etcdServers: string | undefined;
  readonly securePort: number | undefined;
  readonly controllers: readonly string[] | undefined;
  readonly servers: readonly ServerProcess[] | undefined;
  readonly seed: number | undefined;
}

/** A running cluster. */
export interface TestCluster {
  readonly url: string;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/**
 * Clusters of this process share a thread, which stays for those to come: the second starts in a third of the first
 * one's time. It does not keep the process alive.
 */
const thread = new ClusterThread();

/** Store and servers on a thread of their own. */
export async function startOnThread(options: ClusterOptions): Promise<TestCluster> {
  const { dataDir, etcdServers, flags, keep, securePort } = options;
  const cluster = await thread.start({
    dataDir,
    memory: !keep,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.controllers === undefined ? {} : { controllers: options.controllers.join() }),
    flags: [...flags, ...(etcdServers === undefined ? [] : [`--etcd-servers=${etcdServers}`])],
    ...(securePort === undefined ? {} : { securePort }),
  });
  return { url: cluster.url, kubeconfig: cluster.kubeconfig, stop: () => cluster.close() };
}

/** Store, servers and controllers as the processes of `kubechain up`. */
export async function startAsProcesses(options: ClusterOptions): Promise<TestCluster> {
  const { dataDir, etcdServers, flags, securePort } = options;
  const [{ startChain }, { readServerFlags }, { findControllersProcess, findServerProcess, SERVER_NAMES }] =
    await Promise.all([
      import('../chain/chain.ts'),
      import('../chain/route-flags.ts'),
      import('../chain/server-process.ts'),
    ]);
  const servers = options.servers ?? (await Promise.all(SERVER_NAMES.map(findServerProcess)));
  const controllers = options.controllers === undefined ? undefined : await findControllersProcess();
  const programs = bundledPrograms();
  const chain = await startChain(
    {
      dataDir,
      securePort: securePort ?? (await freePort()),
      securePortGiven: true,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      serverFlags: readServerFlags(flags, controllers === undefined ? servers : [...servers, controllers]),
      ...(options.controllers === undefined ? {} : { controllers: options.controllers.join() }),
      ...(etcdServers === undefined ? {} : { etcdServers }),
    },
    {
      servers,
      ...(controllers === undefined ? {} : { controllers }),
      nowMs: Date.now(),
      ...(programs === undefined ? {} : { programs }),
    },
  );
  return { url: chain.url ?? '', kubeconfig: chain.kubeconfig, stop: () => chain.stop() };
}
