import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { SharedInformer } from '../informers/shared-informer.ts';

const index = 'spec.nodeName';

/** Lets the pods of a node be found without walking all. */
export function addNodeIndex(pods: SharedInformer<Pod>): void {
  pods.addIndex(index, ({ spec }) => ((spec?.nodeName ?? '') === '' ? [] : [spec?.nodeName ?? '']));
}

/** Pods that are bound to a node; asks for `addNodeIndex` before. */
export function podsOnNode(pods: SharedInformer<Pod>, node: string): readonly Pod[] {
  return pods.byIndex(index, node);
}
