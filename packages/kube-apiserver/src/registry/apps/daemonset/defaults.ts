import type { DaemonSet, DaemonSetSpec } from '@kubechain/apimachinery/types/apps/v1';
import { defaultPodTemplate } from '../../core/pod/pod-spec-defaults.ts';

/** Where apps/v1 keeps what other versions had as spec.templateGeneration. */
export const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

/** Defaults of daemon sets (pkg/apis/apps/v1, 1.36). */
export function defaultDaemonSet(set: DaemonSet): void {
  ((set.metadata ??= {}).annotations ??= {})[templateGenerationAnnotation] ??= '0';
  const spec = (set.spec ??= {} as DaemonSetSpec);
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const update = (strategy.rollingUpdate ??= {});
    update.maxUnavailable ??= 1;
    update.maxSurge ??= 0;
  } else if (strategy.rollingUpdate !== undefined) {
    // Neither is behind a pointer in the internal type.
    strategy.rollingUpdate.maxUnavailable ??= 0;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  defaultPodTemplate((spec.template ??= {}));
}
