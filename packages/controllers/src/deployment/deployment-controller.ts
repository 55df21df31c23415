import { controllerOf, type LabelSelector, type ObjectMeta } from '@kubechain/apimachinery';
import type { Deployment, ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { ControllerRefManager } from '../controller/controller-ref-manager.ts';
import { selectorOf } from '../controller/selector-of.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { addControllerIndex, ownedObjects, ownedOrOrphans } from '../controller/owned-objects.ts';
import { isPodEnded } from '../pods/pod-state.ts';
import { Adopters } from '../selectors/adopters.ts';
import { Rollout } from './rollout.ts';

/** A deployment that failed so often waits for its next change. */
const maxRetries = 15;

/** Rolls deployments out by their replica sets (pkg/controller/deployment, 1.36). */
export class DeploymentController implements Controller {
  readonly #context: ControllerContext;
  readonly #deployments: SharedInformer<Deployment>;
  readonly #sets: SharedInformer<ReplicaSet>;
  readonly #pods: SharedInformer<Pod>;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;
  readonly #adopters: Adopters<Deployment>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('deployment-controller');
    this.#queue = namespacedQueue(context, 'deployment');
    this.#deployments = context.informers.informer(resources.deployments);
    this.#sets = context.informers.informer(resources.replicasets);
    this.#pods = context.informers.informer(resources.pods);
    addControllerIndex(this.#pods);
    addControllerIndex(this.#sets);
    this.#adopters = new Adopters(context, {
      owners: this.#deployments,
      selectorOf,
      queue: (key) => this.#queue.add(key),
    });
    const add = (deployment: Deployment): void => this.#queue.add(keyOf(deployment));
    this.#deployments.addHandlers({ onAdd: add, onUpdate: add, onDelete: add });
    this.#sets.addHandlers({
      onAdd: (set) => {
        this.#queueOwner(set);
        this.#adopters.added(set);
      },
      onUpdate: (set, before) => {
        if (set.metadata?.resourceVersion === before.metadata?.resourceVersion) return;
        if (controllerOf(set.metadata)?.uid !== controllerOf(before.metadata)?.uid) this.#queueOwner(before);
        this.#queueOwner(set);
        this.#adopters.updated(set, before);
      },
      onDelete: (set) => this.#queueOwner(set),
    });
    // Recreate waits for the last pod of the old sets.
    this.#pods.addHandlers({ onDelete: (pod) => this.#podDeleted(pod) });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#deployments, this.#sets, this.#pods].map((informer) => informer.waitForSync(signal)));
    await Promise.all([
      runWorkers({
        queue: this.#queue,
        workers: this.#context.flags.concurrency['concurrent-deployment-syncs'],
        signal,
        maxRetries,
        sync: (key) => this.#sync(key),
        onError: (error, deployment) => this.#context.log.error('Error syncing deployment', error, { deployment }),
      }),
      this.#adopters.run(signal),
    ]);
  }

  #queueOwner({ metadata }: { readonly metadata?: ObjectMeta }): void {
    const owner = this.#ownerOf(metadata);
    if (owner !== undefined) this.#queue.add(keyOf(owner));
  }

  #ownerOf(metadata: ObjectMeta | undefined): Deployment | undefined {
    const reference = controllerOf(metadata);
    if (reference?.kind !== 'Deployment') return undefined;
    const deployment = this.#deployments.get(`${metadata?.namespace ?? ''}/${reference.name}`);
    return deployment?.metadata?.uid === reference.uid ? deployment : undefined;
  }

  #podDeleted({ metadata }: Pod): void {
    const reference = controllerOf(metadata);
    if (reference?.kind !== 'ReplicaSet') return;
    const set = this.#sets.get(`${metadata?.namespace ?? ''}/${reference.name}`);
    const owner = this.#ownerOf(set?.metadata);
    if (owner?.spec?.strategy?.type === 'Recreate') this.#queue.add(keyOf(owner));
  }

  async #sync(key: string): Promise<void> {
    const deployment = this.#deployments.get(key);
    if (deployment === undefined) return;
    const selector = selectorOf(deployment);
    if (selector === undefined) return;
    if (selector.empty) {
      await this.#refuse(deployment);
      return;
    }
    const sets = await this.#claim(deployment, selector);
    await new Rollout(deployment, {
      context: this.#context,
      recorder: this.#recorder,
      sets,
      hasOtherPods: (newSet) =>
        sets.some(
          (set) =>
            set.metadata?.uid !== newSet?.metadata?.uid &&
            ownedObjects(this.#pods, set).some((pod) => !isPodEnded(pod)),
        ),
      lookAgain: (afterMs) => this.#queue.addAfter(key, afterMs),
    }).sync();
  }

  async #refuse(deployment: Deployment): Promise<void> {
    this.#recorder.event(deployment, resources.deployments, {
      type: 'Warning',
      reason: 'SelectingAll',
      message: 'This deployment is selecting all pods. A non-empty selector is required.',
    });
    const generation = deployment.metadata?.generation ?? 0;
    if ((deployment.status?.observedGeneration ?? 0) >= generation) return;
    await this.#context.client
      .resource(resources.deployments)
      .updateStatus({ ...deployment, status: { ...deployment.status, observedGeneration: generation } });
  }

  #claim(deployment: Deployment, selector: LabelSelector): Promise<ReplicaSet[]> {
    const { client } = this.#context;
    const manager = new ControllerRefManager<ReplicaSet>({
      owned: client.resource(resources.replicasets),
      owner: deployment,
      owners: client.resource(resources.deployments),
      selector,
    });
    return manager.claim(ownedOrOrphans(this.#sets, deployment));
  }
}
