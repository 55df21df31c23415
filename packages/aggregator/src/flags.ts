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
  servingFlags,
  delegateFlags,
} from '@kubechain/apiserver/options';

/** Flags of the way to extension API servers. */
export const aggregatorFlags = flagSet('Aggregation', {
  'enable-aggregator-routing': booleanFlag(
    'Reach extension API servers at the endpoints of their service instead of its cluster IP.',
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
  delegate: delegateFlags,
  aggregator: aggregatorFlags,
  control: controlFlags,
  logging: loggingFlags,
} as const;
