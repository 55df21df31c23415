import { isConflict, isNotFound } from '@kubechain/apimachinery';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import { every } from '../clock/every.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { disruptionTarget } from '../pods/disruption-target.ts';
import { isPodEnded } from '../pods/pod-state.ts';
import { missingNodes, neverScheduled, onLostNodes, shareOf, surplusEnded } from './doomed-pods.ts';

const periodMs = 20_000;
/** A node must be missing for so long before its pods are given up. */
const quarantineMs = 40_000;
/** Pods that are deleted, or whose nodes are asked for, of one kind at a look, and at the same time. */
const mostOfLook = 2_000;
const mostAtOnce = 20;

const nodeGone = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' } as const;

/** Deletes pods that no kubelet will end, and ended ones when there are too many (pkg/controller/podgc, 1.36). */
export class PodGCController implements Controller {
  readonly #context: ControllerContext;
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  /** When a node was missed first. */
  readonly #missingSince = new Map<string, number>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#pods = context.informers.informer(resources.pods);
    this.#nodes = context.informers.informer(resources.nodes);
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pods.waitForSync(signal), this.#nodes.waitForSync(signal)]);
    const { clock, log } = this.#context;
    const onError = (error: unknown): void => log.error('pod garbage collection failed', error);
    await every(periodMs, () => this.#collect(), { clock, signal, onError });
  }

  async #collect(): Promise<void> {
    const pods = this.#pods.list();
    const threshold = this.#context.flags.lifecycle['terminated-pod-gc-threshold'];
    await this.#deleteAll(surplusEnded(pods, threshold));
    await this.#deleteAll(onLostNodes(pods, (name) => this.#nodes.get(name)));
    const lost = await this.#lostNodes(pods);
    await this.#deleteAll(
      pods.filter(({ spec }) => lost.has(spec?.nodeName ?? '')),
      nodeGone,
    );
    await this.#deleteAll(neverScheduled(pods));
  }

  async #lostNodes(pods: readonly Pod[]): Promise<ReadonlySet<string>> {
    const missing = missingNodes(pods, (name) => this.#nodes.get(name) !== undefined);
    const nowMs = this.#context.clock.now();
    for (const name of this.#missingSince.keys()) if (!missing.has(name)) this.#missingSince.delete(name);
    const lost = new Set<string>();
    for (const name of missing) if (!this.#missingSince.has(name)) this.#missingSince.set(name, nowMs);
    const late = pods.filter(({ spec }) => {
      const since = this.#missingSince.get(spec?.nodeName ?? '');
      return since !== undefined && nowMs - since >= quarantineMs;
    });
    const asked = new Set(shareOf(late, mostOfLook, this.#context.random).map(({ spec }) => spec?.nodeName ?? ''));
    for (const name of asked) if (!(await this.#isThere(name))) lost.add(name);
    return lost;
  }

  /** Asks the server: the informer may be behind. */
  async #isThere(name: string): Promise<boolean> {
    try {
      await this.#context.client.resource(resources.nodes).get({ name });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #deleteAll(pods: readonly Pod[], condition?: typeof nodeGone): Promise<void> {
    const share = shareOf(pods, mostOfLook, this.#context.random);
    for (let i = 0; i < share.length; i += mostAtOnce) {
      const some = share.slice(i, i + mostAtOnce);
      const outcomes = await Promise.allSettled(some.map((pod) => this.#delete(pod, condition)));
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') this.#context.log.error('Failed to delete pod', outcome.reason);
    }
  }

  /** A conflict tells that the pod is gone, and another has its name. */
  async #delete(pod: Pod, condition: typeof nodeGone | undefined): Promise<void> {
    const { generation = 0, name = '', namespace, uid } = pod.metadata ?? {};
    const pods = this.#context.client.resource(resources.pods);
    try {
      if (!isPodEnded(pod)) {
        const said = condition === undefined ? undefined : disruptionTarget(pod, condition, this.#context.clock.now());
        const conditions = said === undefined ? {} : { conditions: said };
        await pods.patch(
          { name, namespace },
          { metadata: { uid }, status: { phase: 'Failed', observedGeneration: generation, ...conditions } },
          { type: 'application/strategic-merge-patch+json', subresource: 'status' },
        );
      }
      await pods.delete(
        { name, namespace },
        { gracePeriodSeconds: 0, ...(uid === undefined ? {} : { preconditions: { uid } }) },
      );
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
