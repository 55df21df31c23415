import { isNotFound, sleep, whenAborted, type Timer } from '@kubechain/apimachinery';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { isDeepStrictEqual } from 'node:util';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { disruptionTarget } from '../pods/disruption-target.ts';
import { addNodeIndex, podsOnNode } from '../pods/pods-on-node.ts';
import { noExecuteTaints, toleratedMs } from './toleration-time.ts';

const tries = 5;
const retryMs = 10;
const why = { reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' };

/**
 * Deletes pods from nodes with NoExecute taints when they no longer tolerate them (pkg/controller/tainteviction,
 * 1.36).
 */
export class TaintEvictionController implements Controller {
  readonly #context: ControllerContext;
  readonly #nodes: SharedInformer<Node>;
  readonly #pods: SharedInformer<Pod>;
  readonly #recorder: EventRecorder;
  /** By pod: when it goes; `now` while it is being deleted. */
  readonly #evictions = new Map<string, Timer | 'now'>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('taint-eviction-controller');
    this.#nodes = context.informers.informer(resources.nodes);
    this.#pods = context.informers.informer(resources.pods);
    addNodeIndex(this.#pods);
    this.#nodes.addHandlers({
      onAdd: (node) => this.#nodeChanged(node),
      onUpdate: (node, before) => {
        if (!isDeepStrictEqual(noExecuteTaints(node.spec?.taints), noExecuteTaints(before.spec?.taints)))
          this.#nodeChanged(node);
      },
    });
    this.#pods.addHandlers({
      onAdd: (pod) => this.#podChanged(pod),
      onUpdate: (pod, before) => {
        if (
          pod.spec?.nodeName !== before.spec?.nodeName ||
          !isDeepStrictEqual(pod.spec?.tolerations, before.spec?.tolerations)
        )
          this.#podChanged(pod);
      },
      onDelete: (pod) => this.#cancel(keyOf(pod)),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await whenAborted(signal);
    for (const eviction of this.#evictions.values()) if (eviction !== 'now') eviction.cancel();
    this.#evictions.clear();
  }

  #nodeChanged(node: Node): void {
    for (const pod of podsOnNode(this.#pods, node.metadata?.name ?? '')) this.#judge(pod, node);
  }

  #podChanged(pod: Pod): void {
    const node = this.#nodes.get(pod.spec?.nodeName ?? '');
    if (node !== undefined && noExecuteTaints(node.spec?.taints).length > 0) this.#judge(pod, node);
  }

  #judge(pod: Pod, { spec }: Node): void {
    const key = keyOf(pod);
    const taints = noExecuteTaints(spec?.taints);
    const leftMs = taints.length === 0 ? undefined : toleratedMs(pod, taints);
    if (leftMs === undefined) {
      this.#cancel(key);
      return;
    }
    if (leftMs > 0) {
      // A time that runs is not set anew, not even to a shorter one.
      if (!this.#evictions.has(key))
        this.#evictions.set(
          key,
          this.#context.clock.setTimer(() => void this.#evict(key), leftMs),
        );
      return;
    }
    this.#cancel(key);
    if (!this.#evictions.has(key)) void this.#evict(key);
  }

  #cancel(key: string): void {
    const eviction = this.#evictions.get(key);
    if (eviction === undefined || eviction === 'now') return;
    eviction.cancel();
    this.#evictions.delete(key);
    this.#tell(key, `Cancelling deletion of Pod ${key}`);
  }

  async #evict(key: string): Promise<void> {
    const { clock, log, signal } = this.#context;
    this.#evictions.set(key, 'now');
    this.#tell(key, `Marking for deletion Pod ${key}`);
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        await this.#markAndDelete(key);
        break;
      } catch (error) {
        if (isNotFound(error)) break;
        if (attempt === tries) {
          log.error('a pod cannot be evicted', error, { pod: key });
          break;
        }
        await sleep(clock, retryMs, signal);
      }
    }
    this.#evictions.delete(key);
  }

  async #markAndDelete(key: string): Promise<void> {
    const at = splitKey(key);
    const pods = this.#context.client.resource(resources.pods);
    const pod = await pods.get(at);
    const conditions = disruptionTarget(pod, why, this.#context.clock.now());
    if (conditions !== undefined)
      await pods.patch(
        at,
        { metadata: { uid: pod.metadata?.uid }, status: { conditions } },
        { type: 'application/strategic-merge-patch+json', subresource: 'status' },
      );
    await pods.delete(at);
  }

  #tell(key: string, message: string): void {
    this.#recorder.eventAbout(
      { apiVersion: 'v1', kind: 'Pod', ...splitKey(key) },
      { type: 'Normal', reason: 'TaintManagerEviction', message },
    );
  }
}
