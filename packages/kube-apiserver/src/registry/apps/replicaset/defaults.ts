import type { ReplicaSet, ReplicaSetSpec } from '@kubechain/apimachinery/types/apps/v1';
import { defaultPodTemplate } from '../../core/pod/pod-spec-defaults.ts';

/** Defaults of replica sets (pkg/apis/apps/v1, 1.36). */
export function defaultReplicaSet(set: ReplicaSet): void {
  const spec = (set.spec ??= {} as ReplicaSetSpec);
  spec.replicas ??= 1;
  defaultPodTemplate((spec.template ??= {}));
}
