import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { concerns } from './attributes.ts';

const notReady = 'node.kubernetes.io/not-ready';

/** New nodes take no pods until a controller finds them ready (plugin/pkg/admission/nodetaint, 1.36). */
export class TaintNodesByCondition implements AdmissionPlugin {
  readonly name = 'TaintNodesByCondition';

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  admit(attributes: AdmissionAttributes): void {
    if (!concerns(attributes, '', 'nodes')) return;
    const spec = ((attributes.object as Node).spec ??= {});
    const taints = spec.taints ?? [];
    if (!taints.some((taint) => taint.key === notReady && taint.effect === 'NoSchedule'))
      spec.taints = [...taints, { key: notReady, effect: 'NoSchedule' }];
  }
}
