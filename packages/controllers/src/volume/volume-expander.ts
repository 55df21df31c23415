import { Quantity } from '@kubechain/apimachinery';
import type { PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { isForClaim, sizeOfClaim } from './claim-facts.ts';
import { migratedPluginOf } from './migrated-plugins.ts';

const resizer = 'volume.kubernetes.io/storage-resizer';

/**
 * Tells of claims that ask for more that somebody else has to enlarge their volumes, and names the driver of those that
 * were part of Kubernetes once (pkg/controller/volume/expand, 1.36). It enlarges none itself: of the reference's own
 * plugins none is left that does.
 */
export class VolumeExpander implements Controller {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;
  /** Keys of claims. */
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('volume_expand');
    this.#queue = namespacedQueue(context, 'volume_expand');
    this.#claims = context.informers.informer(resources.persistentvolumeclaims);
    const add = (claim: PersistentVolumeClaim): void => {
      if (claim.status?.phase === 'Bound' && wantsMore(claim)) this.#queue.add(keyOf(claim));
    };
    this.#claims.addHandlers({
      onAdd: add,
      onUpdate: (claim, before) => {
        if (sizeOfClaim(claim).compare(sizeOfClaim(before)) > 0) add(claim);
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#claims.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers: 10,
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, claim) => this.#context.log.error('cannot have a volume enlarged', error, { claim }),
    });
  }

  async #sync(key: string): Promise<void> {
    const claim = this.#claims.get(key);
    if (claim === undefined || !wantsMore(claim)) return;
    const { client } = this.#context;
    const volume = await client.resource(resources.persistentvolumes).get({ name: claim.spec?.volumeName ?? '' });
    if (!isForClaim(volume, claim)) throw new Error(`persistent Volume is not bound to PVC being updated : ${key}`);
    const migrated = migratedPluginOf(volume);
    if (migrated === undefined) return this.#tell(claim, 'waiting for an external controller to expand this PVC');
    this.#tell(claim, `CSI migration enabled for ${migrated.plugin}; waiting for external resizer to expand the pvc`);
    const { annotations, name = '', namespace } = claim.metadata ?? {};
    if (annotations?.[resizer] === migrated.driver) return;
    await client
      .resource(resources.persistentvolumeclaims)
      .patch(
        { name, namespace },
        { metadata: { annotations: { [resizer]: migrated.driver } } },
        { subresource: 'status' },
      );
  }

  #tell(claim: PersistentVolumeClaim, message: string): void {
    this.#recorder.event(claim, resources.persistentvolumeclaims, {
      type: 'Normal',
      reason: 'ExternalExpanding',
      message,
    });
  }
}

function wantsMore(claim: PersistentVolumeClaim): boolean {
  const has = Quantity.parse(claim.status?.capacity?.['storage'] ?? '0');
  return sizeOfClaim(claim).compare(has) > 0;
}
