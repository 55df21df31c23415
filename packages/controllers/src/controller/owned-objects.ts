import { controllerOf, type ObjectMeta } from '@kubechain/apimachinery';
import type { SharedInformer } from '../informers/shared-informer.ts';
import type { WithMetadata } from '../informers/with-metadata.ts';

const index = 'controller';

/** Lets what a controller has, and orphans, be found without walking all that its namespace has of the kind. */
export function addControllerIndex<T extends WithMetadata & object>(objects: SharedInformer<T>): void {
  objects.addIndex(index, ({ metadata }) => [ownedBy(metadata, controllerOf(metadata)?.uid)]);
}

/**
 * What is a controller's, in its namespace: what elsewhere names its uid is not its own, and goes
 * (PodControllerIndexKey of pkg/controller, 1.36).
 */
export function ownedObjects<T extends WithMetadata & object>(
  objects: SharedInformer<T>,
  { metadata }: WithMetadata,
): readonly T[] {
  return objects.byIndex(index, ownedBy(metadata, metadata?.uid ?? ''));
}

/** The same, and what of its namespace is nobody's (controller.FilterPodsByOwner). */
export function ownedOrOrphans<T extends WithMetadata & object>(
  objects: SharedInformer<T>,
  owner: WithMetadata,
): readonly T[] {
  return [...ownedObjects(objects, owner), ...objects.byIndex(index, ownedBy(owner.metadata, undefined))];
}

/** Undefined: by nobody. No namespace has a slash, so that no uid reads as another namespace. */
function ownedBy({ namespace = '' }: ObjectMeta = {}, uid: string | undefined): string {
  return uid === undefined ? namespace : `${namespace}/${uid}`;
}
