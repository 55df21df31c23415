import { controllerOf } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { SharedInformer } from '../informers/shared-informer.ts';

const index = 'controller';

/** Lets the pods of a controller, and orphans, be found without walking a namespace's. */
export function addControllerIndex(pods: SharedInformer<Pod>): void {
  pods.addIndex(index, ({ metadata }) => [controllerOf(metadata)?.uid ?? orphansOf(metadata?.namespace ?? '')]);
}

/** A controller's pods, and those of its namespace that are nobody's (controller.FilterPodsByOwner). */
export function podsOrOrphans(
  pods: SharedInformer<Pod>,
  { metadata }: { readonly metadata?: { readonly uid?: string; readonly namespace?: string } },
): readonly Pod[] {
  return [...pods.byIndex(index, metadata?.uid ?? ''), ...pods.byIndex(index, orphansOf(metadata?.namespace ?? ''))];
}

function orphansOf(namespace: string): string {
  return `orphans of ${namespace}`;
}
