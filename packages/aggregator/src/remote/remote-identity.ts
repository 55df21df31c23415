import type { UserInfo } from '@kubechain/apiserver/resources';

/** What this process is when it asks an extension API server on its own account. */
export const aggregatorUser: UserInfo = { name: 'system:kube-aggregator', groups: ['system:masters'] };

/** The same as it asks for a discovery document in the old form, where the reference gives it no groups. */
export const legacyDiscoveryUser: UserInfo = { name: 'system:kube-aggregator', groups: [] };
