import { isConflict, isNotFound } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import { referenceTo } from '../events/object-reference.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { eventsOfChange, eventsOfEnd, type KubeletEvent } from './kubelet-events.ts';
import { nextPodStep, type PodPlace } from './pod-stages.ts';

export interface BuiltInPodsOptions {
  readonly context: ControllerContext;
  readonly pods: SharedInformer<Pod>;
  /** Undefined: the pod is on no node that is played now. */
  readonly placeOf: (pod: Pod) => PodPlace | undefined;
  /** Pods worked on at a time. */
  readonly workers: number;
  /** Whether events are written as kubelets write them: three or four for each pod. */
  readonly tellsEvents: boolean;
}

/** Brings the pods of played nodes through the lives that `nextPodStep` knows. */
export class BuiltInPods implements Controller {
  readonly #context: ControllerContext;
  readonly #pods: SharedInformer<Pod>;
  readonly #placeOf: BuiltInPodsOptions['placeOf'];
  readonly #workers: number;
  readonly #queue: WorkQueue;
  readonly #tellsEvents: boolean;
  /** By node, since each kubelet has limits of its own. */
  readonly #recorders = new Map<string, EventRecorder>();
  /** By pod: since when it is as it is, so that another look does not put its step off. */
  readonly #since = new Map<string, { readonly resourceVersion: string; readonly atMs: number }>();

  constructor({ context, placeOf, pods, tellsEvents, workers }: BuiltInPodsOptions) {
    this.#tellsEvents = tellsEvents;
    this.#context = context;
    this.#pods = pods;
    this.#placeOf = placeOf;
    this.#workers = workers;
    this.#queue = namespacedQueue(context, 'simulated_pods');
    const add = (pod: Pod): void => {
      if ((pod.spec?.nodeName ?? '') !== '') this.look(pod);
    };
    pods.addHandlers({ onAdd: add, onUpdate: add, onDelete: (pod) => this.#since.delete(keyOf(pod)) });
  }

  /** Looks at a pod again, since more than itself decides. */
  look(pod: Pod): void {
    this.#queue.add(keyOf(pod));
  }

  run(signal: AbortSignal): Promise<void> {
    return runWorkers({
      queue: this.#queue,
      workers: this.#workers,
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, pod) => this.#context.log.error('a pod cannot be played', error, { pod }),
    });
  }

  async #sync(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    const place = pod === undefined ? undefined : this.#placeOf(pod);
    if (pod === undefined || place === undefined) return;
    const { clock } = this.#context;
    const resourceVersion = pod.metadata?.resourceVersion ?? '';
    let since = this.#since.get(key);
    if (since?.resourceVersion !== resourceVersion) since = { resourceVersion, atMs: clock.now() };
    const step = nextPodStep(pod, { ...place, nowMs: since.atMs });
    if (step === undefined) {
      this.#since.delete(key);
      return;
    }
    const leftMs = since.atMs + step.afterMs - clock.now();
    if (leftMs > 0) {
      this.#since.set(key, since);
      this.#queue.addAfter(key, leftMs);
      return;
    }
    this.#since.delete(key);
    if (step.kind === 'delete') await this.#delete(pod);
    else await this.#write(pod, step.status({ nowMs: clock.now(), podIP: place.podIP(pod), hostIP: place.hostIP }));
  }

  /** The last word of a kubelet: the pod is gone, or waits for its finalizers. */
  async #delete(pod: Pod): Promise<void> {
    const { name = '', namespace, uid, deletionGracePeriodSeconds, finalizers = [] } = pod.metadata ?? {};
    if (deletionGracePeriodSeconds === 0 && finalizers.length > 0) return;
    this.#tell(pod, eventsOfEnd(pod));
    try {
      await this.#context.client
        .resource(resources.pods)
        .delete(
          { name, namespace },
          { gracePeriodSeconds: 0, ...(uid === undefined ? {} : { preconditions: { uid } }) },
        );
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #write(pod: Pod, status: Pod['status']): Promise<void> {
    const { name = '', namespace, uid, resourceVersion } = pod.metadata ?? {};
    try {
      await this.#context.client
        .resource(resources.pods)
        .patch({ name, namespace }, { metadata: { uid, resourceVersion }, status }, { subresource: 'status' });
      this.#tell(pod, eventsOfChange(pod, status ?? {}));
    } catch (error) {
      // It has changed or gone: the informer will tell.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #tell(pod: Pod, events: readonly KubeletEvent[]): void {
    if (!this.#tellsEvents) return;
    for (const { fieldPath, ...what } of events)
      this.#recorderOf(pod.spec?.nodeName ?? '').eventAbout(
        { ...referenceTo(pod, resources.pods), ...(fieldPath === undefined ? {} : { fieldPath }) },
        what,
      );
  }

  #recorderOf(host: string): EventRecorder {
    const known = this.#recorders.get(host);
    if (known !== undefined) return known;
    const { client, clock, log, random, signal } = this.#context;
    const onError = (error: unknown): void => log.error('cannot write an event', error);
    const recorder = new EventRecorder({ client, clock, random, signal, component: 'kubelet', host, onError });
    this.#recorders.set(host, recorder);
    return recorder;
  }
}
