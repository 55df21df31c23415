import { isAlreadyExists, messageOf } from '@kubechain/apimachinery';
import type { PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { claimKeysOf, foreignClaimProblem } from './claim-facts.ts';

const podsByClaim = 'claims of pods';

/** Makes claims of pods' templates; they go with their pods (pkg/controller/volume/ephemeral, 1.36). */
export class EphemeralVolumes implements Controller {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #pods: SharedInformer<Pod>;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;
  /** Keys of pods. */
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('ephemeral_volume');
    this.#queue = namespacedQueue(context, 'ephemeral_volume');
    this.#pods = context.informers.informer(resources.pods);
    this.#pods.addIndex(podsByClaim, claimKeysOf);
    this.#claims = context.informers.informer(resources.persistentvolumeclaims);
    const podChanged = (pod: Pod): void => {
      if (pod.metadata?.deletionTimestamp === undefined && (pod.spec?.volumes ?? []).some((each) => each.ephemeral))
        this.#queue.add(keyOf(pod));
    };
    this.#pods.addHandlers({ onAdd: podChanged });
    this.#claims.addHandlers({
      onDelete: (claim) => {
        for (const pod of this.#pods.byIndex(podsByClaim, keyOf(claim))) podChanged(pod);
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pods.waitForSync(signal), this.#claims.waitForSync(signal)]);
    await runWorkers({
      queue: this.#queue,
      workers: this.#context.flags.concurrency['concurrent-ephemeralvolume-syncs'],
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, pod) => this.#context.log.error('cannot make an ephemeral volume', error, { pod }),
    });
  }

  async #sync(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    if (pod === undefined || pod.metadata?.deletionTimestamp !== undefined) return;
    for (const { ephemeral, name } of pod.spec?.volumes ?? []) {
      if (ephemeral === undefined) continue;
      const problem = await this.#ensure(pod, `${pod.metadata?.name ?? ''}-${name}`, ephemeral.volumeClaimTemplate);
      if (problem === undefined) continue;
      const message = `ephemeral volume ${name}: ${problem}`;
      this.#recorder.event(pod, resources.pods, { type: 'Warning', reason: 'FailedBinding', message });
      throw new Error(message);
    }
  }

  /** What keeps the claim from being there. */
  async #ensure(pod: Pod, name: string, template: PersistentVolumeClaim | undefined): Promise<string | undefined> {
    const { name: podName = '', namespace = '', uid = '' } = pod.metadata ?? {};
    const known = this.#claims.get(`${namespace}/${name}`);
    if (known !== undefined) return foreignClaimProblem(known, pod);
    const { annotations, labels } = template?.metadata ?? {};
    const claim: PersistentVolumeClaim = {
      metadata: {
        name,
        namespace,
        ...(annotations === undefined ? {} : { annotations }),
        ...(labels === undefined ? {} : { labels }),
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Pod', name: podName, uid, controller: true, blockOwnerDeletion: true },
        ],
      },
      ...(template?.spec === undefined ? {} : { spec: template.spec }),
    };
    try {
      await this.#context.client.resource(resources.persistentvolumeclaims).create(claim);
      return undefined;
    } catch (error) {
      return isAlreadyExists(error) ? undefined : `create PVC ${name}: ${messageOf(error)}`;
    }
  }
}
