import { admissionFlags, auditFlags, authenticationFlags, authorizationFlags, etcdFlags, featureFlags, genericFlags, loggingFlags, servingFlags, delegateFlags } from '@kubechain/apiserver/options';

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
  logging: loggingFlags,
} as const;
