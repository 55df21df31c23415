import type { Chain } from '../chain/chain.ts';
import type { ChainOptions } from '../chain/chain-options.ts';
import { observeAddress } from '../chain/observe-address.ts';
import { locateDataDir, openDataDir } from '../data-dir/data-dir.ts';
import { exposeGC } from '../supervisor/collect-at-rest.ts';
import { ClusterThread } from './cluster-thread.ts';

/** Runs what `startChain` does on one thread of this process. @throws LaunchError when it cannot start */
export async function launchAllInOne(options: ChainOptions, onEnded: (error: unknown) => void): Promise<Chain> {
  const { controllers = 'none', dataDir, etcdServers, quotaBytes, securePort, seed, serverFlags, ui } = options;
  // Before the thread begins, which has garbage collected then when it is at rest.
  exposeGC();
  const thread = new ClusterThread();
  const cluster = await thread.start({
    dataDir,
    securePort,
    controllers,
    ...(seed === undefined ? {} : { seed }),
    ...(quotaBytes === undefined ? {} : { quotaBytes }),
    flags: [
      ...serverFlags.flatMap((flag) => flag.arguments),
      ...(ui === undefined ? [] : [`--observe-listen=${observeAddress(locateDataDir(dataDir), 'all-in-one')}`]),
      ...(etcdServers === undefined ? [] : [`--etcd-servers=${etcdServers}`]),
    ],
  });
  cluster.ended.catch(onEnded);
  return {
    url: cluster.url,
    kubeconfig: cluster.kubeconfig,
    dir: openDataDir(dataDir),
    inspectors: [],
    pids: () => new Map([['all-in-one', process.pid]]),
    stop: () => thread.close(),
    // The thread ends with the process.
    kill: () => undefined,
  };
}
