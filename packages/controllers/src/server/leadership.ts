import { hostname } from 'node:os';
import { LeaderElector } from '@kubechain/component-helpers';
import { Logger } from '@kubechain/apiserver/logging';
import type { ParsedFlags, ProcessHandle } from '@kubechain/apiserver/options';
import type { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import type { flagSets } from '../flags.ts';

type Values = ParsedFlags<typeof flagSets>['values'];

const log = new Logger('controllers');

/** The process's part in leader election, by --leader-elect-*; over another lease where one is named. */
export function newElector(
  { leaderElection: flags }: Values,
  client: Client,
  {
    clock,
    lease = flags['leader-elect-resource-name'],
    randomness: { newUID, random },
    signal,
  }: Pick<ProcessHandle, 'clock' | 'randomness' | 'signal'> & { readonly lease?: string },
): LeaderElector {
  const identity = `${hostname()}_${newUID()}`;
  const onError = (error: unknown): void => log.error('leader election', error);
  const recorder = new EventRecorder({ client, clock, random, signal, component: identity, onError });
  return new LeaderElector({
    leases: client.resource(resources.leases),
    clock,
    random,
    identity,
    namespace: flags['leader-elect-resource-namespace'],
    name: lease,
    leaseDurationMs: flags['leader-elect-lease-duration'],
    renewDeadlineMs: flags['leader-elect-renew-deadline'],
    retryPeriodMs: flags['leader-elect-retry-period'],
    onError,
    onEvent: (what, about) =>
      recorder.event(about, resources.leases, {
        type: 'Normal',
        reason: 'LeaderElection',
        message: `${identity} ${what}`,
      }),
  });
}

/** Whether this process holds the lease now; false when it was stopped while it waited. */
export async function leads(
  elector: LeaderElector,
  { clock, signal }: Pick<ProcessHandle, 'clock' | 'signal'>,
  ready: () => void,
): Promise<boolean> {
  const waiting = elector.acquire(signal);
  // Somebody else's lease may last: the process is as ready as it can be.
  const late = clock.setTimer(ready, 1000);
  try {
    return await waiting;
  } finally {
    late.cancel();
  }
}
