import type { UserInfo } from '@kubechain/apiserver';

/** What this process is when it asks an extension API server on its own account. */
export const aggregatorUser: UserInfo = { name: 'system:kube-aggregator', groups: ['system:masters'] };
