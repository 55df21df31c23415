import type { ReplicationController } from '@kubechain/apimachinery/types/core/v1';
import { defaultPodTemplate } from '../pod/pod-spec-defaults.ts';

/** Defaults of replication controllers: selector and labels are the template's labels (pkg/apis/core/v1, 1.36). */
export function defaultReplicationController(controller: ReplicationController): void {
  const spec = (controller.spec ??= {});
  const labels = spec.template?.metadata?.labels;
  if (labels !== undefined) {
    if (isEmpty(spec.selector)) spec.selector = { ...labels };
    if (isEmpty(controller.metadata?.labels)) (controller.metadata ??= {}).labels = { ...labels };
  }
  if (spec.template !== undefined) defaultPodTemplate(spec.template);
}

function isEmpty(map: Record<string, string> | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0;
}
