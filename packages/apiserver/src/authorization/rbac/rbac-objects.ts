import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** rbac/v1 PolicyRule, as stored: absent lists are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}
export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}
export interface AggregationRule {
  readonly clusterRoleSelectors?: readonly unknown[] | null;
}

/** rbac/v1 Role and ClusterRole. */
export interface RoleObject extends KubeObject {
  metadata: ObjectMeta;
  rules?: PolicyRule[] | null;
  aggregationRule?: AggregationRule | null;
}

/** rbac/v1 RoleBinding and ClusterRoleBinding. */
export interface RoleBindingObject extends KubeObject {
  metadata: ObjectMeta;
  roleRef: RoleRef;
  subjects?: Subject[] | null;
}
