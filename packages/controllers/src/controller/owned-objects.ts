import { controllerOf, type ObjectMeta } from '@kubechain/apimachinery';
import type { SharedInformer } from '../informers/shared-informer.ts';

const index = 'controller';

interface WithMetadata {
  readonly metadata?: ObjectMeta | undefined;
}

/** Lets what a controller has, and orphans, be found without walking all that its namespace has of the kind. */
export function addControllerIndex<T extends WithMetadata & object>(objects: SharedInformer<T>): void {
  objects.addIndex(index, ({ metadata }) => [controllerOf(metadata)?.uid ?? orphansOf(metadata?.namespace ?? '')]);
}

/** What is a controller's, whatever namespace it is in. */
export function ownedObjects<T extends WithMetadata & object>(
  objects: SharedInformer<T>,
  { metadata }: WithMetadata,
): readonly T[] {
  return objects.byIndex(index, metadata?.uid ?? '');
}

/** The same, and what of its namespace is nobody's (controller.FilterPodsByOwner). */
export function ownedOrOrphans<T extends WithMetadata & object>(
  objects: SharedInformer<T>,
  owner: WithMetadata,
): readonly T[] {
  return [...ownedObjects(objects, owner), ...objects.byIndex(index, orphansOf(owner.metadata?.namespace ?? ''))];
}

function orphansOf(namespace: string): string {
  return `orphans of ${namespace}`;
}
