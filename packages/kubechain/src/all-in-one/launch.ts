import type { Chain, ChainEvent } from '../chain/chain.ts';
import type { ChainOptions } from '../chain/chain-options.ts';
import { observeAddress } from '../chain/observe-address.ts';
import { locateDataDir, openDataDir } from '../data-dir/data-dir.ts';
import { exposeGC } from '../supervisor/collect-at-rest.ts';
import { isLaunchError } from '../launch-error.ts';
import { ClusterThread } from './cluster-thread.ts';
import type { AllInOne, AllInOneOptions } from './start.ts';

/** What it is called in place of the names of processes. */
const name = 'all-in-one';

/** Who hears of what becomes of it. */
export interface LaunchHooks {
  readonly onEvent: (event: ChainEvent) => void;
  /** It has ended by itself, and does not run again. */
  readonly onEnded: (error: unknown) => void;
}

/**
 * Runs what `startChain` does on one thread of this process. When that is held for good (`--watchdog-timeout`), another
 * thread takes its place, with what the data directory has; but for one with the control API, whose clock and
 * snapshots would be others.
 * @throws LaunchError when it cannot start; the thread has ended then
 */
export async function launchAllInOne(options: ChainOptions, hooks: LaunchHooks): Promise<Chain> {
  const { dataDir } = options;
  // Before the thread begins, which has garbage collected then when it is at rest.
  exposeGC();
  const thread = new ClusterThread();
  const start = (): Promise<AllInOne> => thread.start(clusterOptions(options), { endWhenHeld: true });
  const cluster = await start().catch(async (error: unknown) => {
    await thread.close();
    throw error;
  });
  let stopping: Promise<void> | undefined;
  const keepRunning = async (): Promise<void> => {
    let running = cluster;
    for (let restarts = 1; ; restarts++) {
      const error = await running.ended.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const held = isLaunchError(error, 'Held');
      if (error === undefined || (held && stopping !== undefined)) return;
      if (!held || options.control === true) {
        hooks.onEnded(error);
        return;
      }
      hooks.onEvent({ kind: 'held', name, reason: error.message });
      const startedAt = performance.now();
      running = await start();
      hooks.onEvent({ kind: 'ready', name, afterMs: performance.now() - startedAt, restarts, url: running.url });
    }
  };
  void keepRunning().catch(hooks.onEnded);
  return {
    url: cluster.url,
    kubeconfig: cluster.kubeconfig,
    dir: openDataDir(dataDir),
    inspectors: [],
    pids: () => new Map([[name, process.pid]]),
    stop: () => (stopping ??= thread.close()),
    // The thread ends with the process.
    kill: () => undefined,
  };
}

function clusterOptions(options: ChainOptions): AllInOneOptions {
  const { controllers = 'none', dataDir, etcdServers, quotaBytes, securePort, seed, serverFlags, ui } = options;
  return {
    dataDir,
    securePort,
    controllers,
    ...(seed === undefined ? {} : { seed }),
    ...(quotaBytes === undefined ? {} : { quotaBytes }),
    flags: [
      ...serverFlags.flatMap((flag) => flag.arguments),
      ...(ui === undefined ? [] : [`--observe-listen=${observeAddress(locateDataDir(dataDir), name)}`]),
      ...(etcdServers === undefined ? [] : [`--etcd-servers=${etcdServers}`]),
    ],
  };
}
