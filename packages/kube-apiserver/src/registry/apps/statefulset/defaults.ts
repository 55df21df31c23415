import type { StatefulSet, StatefulSetSpec } from '@kubechain/apimachinery/types/apps/v1';
import { defaultPersistentVolumeClaim } from '../../core/persistentvolumeclaim/defaults.ts';
import { defaultPodTemplate } from '../../core/pod/pod-spec-defaults.ts';

/**
 * Defaults of stateful sets (pkg/apis/apps/v1, 1.36).
 * @param countsMissing MaxUnavailableStatefulSet is on, as it is by default since 1.37
 */
export function defaultStatefulSet(set: StatefulSet, countsMissing = false): void {
  const spec = (set.spec ??= {} as StatefulSetSpec);
  spec.podManagementPolicy ||= 'OrderedReady';
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate !== undefined) {
    strategy.rollingUpdate.partition ??= 0;
    if (countsMissing) strategy.rollingUpdate.maxUnavailable ??= 1;
  }
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  defaultPodTemplate((spec.template ??= {}));
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.kind = 'PersistentVolumeClaim';
    claim.apiVersion = 'v1';
    defaultPersistentVolumeClaim(claim);
  }
}
