import {
  admissionFlags,
  auditFlags,
  controlFlags,
  authenticationFlags,
  authorizationFlags,
  booleanFlag,
  etcdFlags,
  fileFlag,
  flagSet,
  intFlag,
  isLoopback,
  featureFlags,
  genericFlags,
  loggingFlags,
  metricsFlags,
  tracingFlags,
  servingFlags,
  stringFlag,
  delegateFlags,
} from '@kubechain/apiserver/options';

/** Flags of the way to extension API servers. */
export const aggregatorFlags = flagSet('Aggregation', {
  'enable-aggregator-routing': booleanFlag(
    'Reach extension API servers at the endpoints of their service instead of its cluster IP.',
  ),
  'aggregator-reject-forwarding-redirect': booleanFlag(
    'Answer 502 where an extension API server redirects; false hands the redirect to the client, who may follow it ' +
      'with its credentials.',
    true,
  ),
  'peer-ca-file': fileFlag(
    'File with the authorities of the serving certificates of other API servers over the same etcd: requests for ' +
      'resources that only they serve are handed to them, and discovery shows what they serve.',
  ),
  'insecure-port': intFlag(
    'Port of this machine without TLS, on which everybody is the administrator, as kube-apiserver had it up to 1.19; ' +
      '0: none.',
    0,
    (value) => (value < 0 || value > 65_535 ? 'must be between 0 and 65535' : undefined),
  ),
  'insecure-bind-address': stringFlag('Loopback address of --insecure-port.', '127.0.0.1', (address) =>
    isLoopback(address) ? undefined : 'must be an address of this machine alone: 127.0.0.0/8 or ::1',
  ),
});

/** All flags that aggregator understands, by concern. */
export const flagSets = {
  etcd: etcdFlags,
  serving: servingFlags,
  authentication: authenticationFlags,
  authorization: authorizationFlags,
  admission: admissionFlags,
  generic: genericFlags,
  features: featureFlags,
  audit: auditFlags,
  traces: tracingFlags,
  metrics: metricsFlags,
  delegate: delegateFlags,
  aggregator: aggregatorFlags,
  control: controlFlags,
  logging: loggingFlags,
} as const;
