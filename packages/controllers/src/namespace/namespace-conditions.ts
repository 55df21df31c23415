import { formatTime, type Clock } from '@kubechain/apimachinery';
import type { NamespaceCondition, NamespaceStatus } from '@kubechain/apimachinery/types/core/v1';
import { FinalizerCounts } from './finalizer-counts.ts';

/** Conditions of a namespace that is being deleted, in their order, with what they say when all is well. */
const WELL = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
] as const;

type ConditionType = (typeof WELL)[number][0];

/** What is left of one resource. */
export interface Remaining {
  /** `pods.` or `deployments.apps`: name and group, whichever it is. */
  readonly resource: string;
  readonly count: number;
  /** How many objects each finalizer holds; of thousands of finalizers, the first. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** What a pass over a namespace has found (pkg/controller/namespace/deletion/status_condition_utils.go). */
export class NamespaceConditions {
  readonly #clock: Clock;
  readonly #found = new Map<ConditionType, { readonly reason: string; readonly message: string }>();
  readonly #contentErrors: string[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Some group versions could not be asked for their resources. */
  discoveryFailed(message: string): void {
    this.#found.set('NamespaceDeletionDiscoveryFailure', { reason: 'DiscoveryFailed', message });
  }

  contentFailed(message: string): void {
    this.#contentErrors.push(message);
  }

  remaining(left: readonly Remaining[]): void {
    if (left.length === 0) return;
    const counts = left.map(({ resource, count }) => `${resource} has ${count} resource instances`).sort();
    this.#found.set('NamespaceContentRemaining', {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${counts.join(', ')}`,
    });
    const all = new FinalizerCounts();
    for (const { finalizers } of left) for (const [finalizer, count] of finalizers) all.add(finalizer, count);
    if (all.counts.size === 0) return;
    const held = [...all.counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
    this.#found.set('NamespaceFinalizersRemaining', {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${held.join(', ')}`,
    });
  }

  /** The status with all conditions; undefined when nothing has changed. */
  applyTo(status: NamespaceStatus | undefined): NamespaceStatus | undefined {
    if (this.#contentErrors.length > 0) {
      const messages = [...this.#contentErrors].sort();
      this.#found.set('NamespaceDeletionContentFailure', {
        reason: 'ContentDeletionFailed',
        message: `Failed to delete all resource types, ${messages.length} remaining: ${messages.join(', ')}`,
      });
    }
    const now = formatTime(this.#clock.now());
    const conditions = [...(status?.conditions ?? [])];
    let changed = false;
    for (const [type, okReason, okMessage] of WELL) {
      const found = this.#found.get(type);
      const wanted: NamespaceCondition = {
        type,
        status: found === undefined ? 'False' : 'True',
        lastTransitionTime: now,
        reason: found?.reason ?? okReason,
        message: found?.message ?? okMessage,
      };
      const index = conditions.findIndex((condition) => condition.type === type);
      const known = conditions[index];
      if (known === undefined) conditions.push(wanted);
      else if (known.status === wanted.status && known.reason === wanted.reason && known.message === wanted.message)
        continue;
      else
        conditions[index] = {
          ...wanted,
          ...(known.status === wanted.status && known.lastTransitionTime !== undefined
            ? { lastTransitionTime: known.lastTransitionTime }
            : {}),
        };
      changed = true;
    }
    return changed ? { ...status, conditions } : undefined;
  }
}
