import { hostname } from 'node:os';
import { messageOf, sleep } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import type { GenericAPIServer } from '@kubechain/apiserver/servers';
import type { Store } from '@kubechain/apiserver/resources';
import { LeaderElector } from '@kubechain/component-helpers';
import { repeat } from '../repeat.ts';
import type { ElectionTimers } from './election-timers.ts';
import { Elections } from './elections.ts';
import { OwnLeases } from './own-leases.ts';

const log = new Logger('leader-election');
/** Which servers take turns over, and how often candidates that are gone are removed (pkg/controlplane, 1.36). */
const lease = { namespace: 'kube-system', name: 'leader-election-controller' };
const collectMs = 30 * 60_000;

export interface ElectionHookOptions extends ElectionTimers {
  readonly leases: Store;
  /** undefined: no version of LeaseCandidate is served, so that there is nobody to choose from. */
  readonly candidates: Store | undefined;
}

/** Coordinated leader election by whichever server of the cluster leads. */
export function addElectionHook(server: GenericAPIServer, options: ElectionHookOptions): void {
  const { clock, randomness } = server.config;
  const onError = (error: unknown): void => {
    log.warning('coordinated leader election', { error: messageOf(error) });
  };
  server.addPostStartHook('start-kube-apiserver-coordinated-leader-election-controller', ({ signal }) => {
    if (options.candidates === undefined)
      log.warning('no leaders are chosen: coordination.k8s.io LeaseCandidates are not served (--runtime-config)');
    const elector = new LeaderElector({
      ...options,
      ...lease,
      leases: new OwnLeases(options.leases, clock),
      clock,
      random: randomness.random,
      identity: `${hostname()}_${randomness.newUID()}`,
      onError,
    });
    void (async () => {
      while (!signal.aborted) {
        if (await elector.acquire(signal)) await lead(elector, signal);
        await sleep(clock, options.retryPeriodMs, signal);
      }
    })();
  });

  async function lead(elector: LeaderElector, signal: AbortSignal): Promise<void> {
    const { candidates, leases } = options;
    const lost = new AbortController();
    const elections = candidates && new Elections({ leases, candidates, clock, onError });
    elections?.start();
    const collecting =
      elections &&
      repeat(() => elections.collect(), {
        clock,
        intervalMs: collectMs,
        signal: AbortSignal.any([signal, lost.signal]),
        onError,
      });
    await elector.hold(signal);
    lost.abort();
    await Promise.all([elections?.stop(), collecting]);
  }
}
