import { etcdFlags } from '../options/etcd-flags.ts';
import { stringFlag } from '../options/flag.ts';
import { flagSet } from '../options/flag-set.ts';
import { featureFlags, genericFlags } from '../options/generic-flags.ts';
import { tracingFlags } from '../options/tracing-flags.ts';
import { auditFlags } from '../options/audit-flags.ts';
import { loggingFlags } from '../options/process-flags.ts';
import { servingFlags } from '../options/serving-flags.ts';

/** How an extension server asks the main one. */
const delegatedFlags = flagSet('Delegated authentication and authorization', {
  kubeconfig: stringFlag(
    'Kubeconfig of a user who may create tokenreviews and subjectaccessreviews, read namespaces, and read ' +
      'ConfigMap kube-system/extension-apiserver-authentication.',
  ),
});

/** All flags of an extension server, by concern. */
export const extensionFlagSets = {
  etcd: etcdFlags,
  serving: servingFlags,
  delegated: delegatedFlags,
  generic: genericFlags,
  features: featureFlags,
  audit: auditFlags,
  traces: tracingFlags,
  logging: loggingFlags,
} as const;
