import {
  admissionFlags,
  auditFlags,
  authenticationFlags,
  authorizationFlags,
  etcdFlags,
  faultFlags,
  featureFlags,
  genericFlags,
  loggingFlags,
  metricsFlags,
  tracingFlags,
  servingFlags,
  delegateListenFlags,
} from '@kubechain/apiserver/options';

/** All flags that apiextensions understands, by concern. */
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
  delegateListen: delegateListenFlags,
  faults: faultFlags,
  logging: loggingFlags,
} as const;
