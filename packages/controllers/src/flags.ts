import {
  booleanFlag,
  durationFlag,
  enumFlag,
  flagSet,
  floatFlag,
  intFlag,
  listFlag,
  loggingFlags,
  stringFlag,
} from '@kubechain/apiserver/options';
import { controllerFlagSets } from './options/controller-flags.ts';

/** The way to the API server. */
export const clientFlags = flagSet('Client', {
  kubeconfig: stringFlag('File with the API server and the identity of this process.'),
  'kube-api-qps': floatFlag('Requests that each controller may send in a second.', 20),
  'kube-api-burst': intFlag('Requests that each controller may send at once.', 30),
  'use-service-account-credentials': booleanFlag('Each controller acts as a service account of its own.'),
});

/** Which controllers run, and how. */
export const selectionFlags = flagSet('Selection', {
  controllers: listFlag(
    'Controllers to run: `*` for all that are on by default, `NAME` and `-NAME` for single ones, `lifecycle` ' +
      'and the like for groups, `none`.',
    ['*'],
  ),
  'min-resync-period': durationFlag(
    'How often all objects are looked at again; between this and twice as long.',
    12 * 3_600_000,
  ),
});

/** Who works when several are running. */
export const leaderElectionFlags = flagSet('Leader election', {
  'leader-elect': booleanFlag('Work only while this process holds the lease.', true),
  'leader-elect-lease-duration': durationFlag('How long others wait for a lease that is not renewed.', 15_000),
  'leader-elect-renew-deadline': durationFlag('How long the holder tries to renew it before it gives up.', 10_000),
  'leader-elect-retry-period': durationFlag('Time between attempts.', 2000),
  'leader-elect-resource-lock': enumFlag('Kind of the lock.', 'leases', ['leases']),
  'leader-elect-resource-name': stringFlag('Name of the lease.', 'kube-controller-manager'),
  'leader-elect-resource-namespace': stringFlag('Namespace of the lease.', 'kube-system'),
});

/** Health and metrics. */
export const healthFlags = flagSet('Secure serving', {
  'secure-port': intFlag('HTTPS port of health and metrics; 0 for none.', 10257, (port) =>
    port >= 0 && port <= 65535 ? undefined : 'must be between 0 and 65535, inclusive',
  ),
  'bind-address': stringFlag('Address that is listened on.', '0.0.0.0'),
  'tls-cert-file': stringFlag('PEM file of the serving certificate; default: a self-signed one.'),
  'tls-private-key-file': stringFlag("PEM file of the serving certificate's key."),
  'authorization-always-allow-paths': listFlag('Paths that anybody may read; a trailing `*` stands for any rest.', [
    '/healthz',
    '/readyz',
    '/livez',
  ]),
});

/** All flags of the process, by concern. */
export const flagSets = {
  client: clientFlags,
  selection: selectionFlags,
  leaderElection: leaderElectionFlags,
  health: healthFlags,
  ...controllerFlagSets,
  logging: loggingFlags,
} as const;
