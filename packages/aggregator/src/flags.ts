import {
  admissionFlags,
  auditFlags,
  controlFlags,
  authenticationFlags,
  authorizationFlags,
  booleanFlag,
  etcdFlags,
  flagSet,
  featureFlags,
  genericFlags,
  loggingFlags,
  metricsFlags,
  refusedFlag,
  refusedFlags,
  tracingFlags,
  servingFlags,
  delegateFlags,
} from '@kubechain/apiserver/options';

/** Flags of the way to extension API servers. */
export const aggregatorFlags = flagSet('Aggregation', {
  'enable-aggregator-routing': booleanFlag(
    'Reach extension API servers at the endpoints of their service instead of its cluster IP.',
  ),
  'aggregator-reject-forwarding-redirect': refusedFlag(
    'redirects of extension API servers are always answered with 502: they would send clients elsewhere with ' +
      'their credentials',
    ['true'],
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
  refused: refusedFlags,
} as const;
