import type { StatefulSet, StatefulSetSpec } from '@kubechain/apimachinery/types/apps/v1';
import { defaultPersistentVolumeClaim } from '../../core/persistentvolumeclaim/defaults.ts';
import { defaultPodTemplate } from '../../core/pod/pod-spec-defaults.ts';

/** Defaults of stateful sets (pkg/apis/apps/v1, 1.36). */
export function defaultStatefulSet(set: StatefulSet): void {
  const spec = (set.spec ??= {} as StatefulSetSpec);
  spec.podManagementPolicy ||= 'OrderedReady';
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate !== undefined) strategy.rollingUpdate.partition ??= 0;
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
