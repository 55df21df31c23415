import { controllerOf } from '@kubechain/apimachinery';
import type { ReplicaSet, StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Pod, ReplicationController, Service } from '@kubechain/apimachinery/types/core/v1';
import type { LabelSelector } from '@kubechain/apimachinery/types/meta/v1';
import { resources } from '../../client/resources.ts';
import type { ControllerContext } from '../../controller/controller.ts';
import type { SharedInformer } from '../../informers/shared-informer.ts';
import { followSelectors } from '../../selectors/follow-selectors.ts';
import type { SelectorIndex } from '../../selectors/selector-index.ts';
import { selectorOfService } from '../../services/pod-services.ts';

type Expressions = NonNullable<LabelSelector['matchExpressions']>;

/** Finds which pods are of one kind: by the Services that select them and by their owner (helper.DefaultSelector, 1.36). */
export class DefaultSelectors {
  readonly #services: SharedInformer<Service>;
  readonly #selectors: SelectorIndex;
  readonly #replicationControllers: SharedInformer<ReplicationController>;
  readonly #replicaSets: SharedInformer<ReplicaSet>;
  readonly #statefulSets: SharedInformer<StatefulSet>;

  constructor({ informers }: ControllerContext) {
    this.#services = informers.informer(resources.services);
    this.#selectors = followSelectors(this.#services, selectorOfService);
    this.#replicationControllers = informers.informer(resources.replicationcontrollers);
    this.#replicaSets = informers.informer(resources.replicasets);
    this.#statefulSets = informers.informer(resources.statefulsets);
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    const all = [this.#services, this.#replicationControllers, this.#replicaSets, this.#statefulSets];
    await Promise.all(all.map((informer) => informer.waitForSync(signal)));
  }

  /** Undefined where nothing is known. */
  of(pod: Pod): LabelSelector | undefined {
    const { labels = {}, namespace = '' } = pod.metadata ?? {};
    const matchLabels: Record<string, string> = {};
    for (const [key, selector] of this.#selectors.candidates(namespace, labels))
      if (selector.matches(labels)) Object.assign(matchLabels, this.#services.get(key)?.spec?.selector);
    const matchExpressions = this.#ofOwner(pod);
    return Object.keys(matchLabels).length + matchExpressions.length === 0
      ? undefined
      : ({ matchLabels, matchExpressions } as LabelSelector);
  }

  #ofOwner({ metadata }: Pod): Expressions {
    const owner = controllerOf(metadata);
    const key = `${metadata?.namespace ?? ''}/${owner?.name ?? ''}`;
    switch (`${owner?.apiVersion ?? ''} ${owner?.kind ?? ''}`) {
      case 'v1 ReplicationController':
        return expressionsOf({ matchLabels: this.#replicationControllers.get(key)?.spec?.selector ?? {} });
      case 'apps/v1 ReplicaSet':
        return expressionsOf(this.#replicaSets.get(key)?.spec?.selector);
      case 'apps/v1 StatefulSet':
        return expressionsOf(this.#statefulSets.get(key)?.spec?.selector);
      default:
        return [];
    }
  }
}

function expressionsOf({ matchExpressions = [], matchLabels = {} }: Partial<LabelSelector> = {}): Expressions {
  const labels = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  return [...labels, ...matchExpressions] as Expressions;
}
