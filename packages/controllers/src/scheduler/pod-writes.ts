import { formatTime, isConflict, isNotFound } from '@kubechain/apimachinery';
import type { Pod, PodCondition } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';

/** What a scheduler writes about pods, besides events. What is gone or has changed is passed over. */
export class PodWrites {
  readonly #context: ControllerContext;
  readonly #schedulerName: string;

  constructor(context: ControllerContext, schedulerName: string) {
    this.#context = context;
    this.#schedulerName = schedulerName;
  }

  /** @throws StatusError, TransportError */
  async bind({ metadata }: Pod, node: string): Promise<void> {
    const { name = '', namespace = '', uid } = metadata ?? {};
    await this.#context.client.resource(resources.pods).create(
      {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, namespace, ...(uid === undefined ? {} : { uid }) },
        target: { kind: 'Node', name: node },
      },
      { namespace, name, subresource: 'binding' },
    );
  }

  /** The pod fits nowhere; `nominated` is the node where room is made for it, '' for none, undefined for the same. */
  async setUnschedulable(
    pod: Pod,
    {
      message,
      nominated,
      reason = 'Unschedulable',
    }: {
      readonly message: string;
      readonly nominated: string | undefined;
      readonly reason?: 'Unschedulable' | 'SchedulerError';
    },
  ): Promise<void> {
    const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const same = before?.status === 'False' && before.reason === reason && before.message === message;
    const renominated = nominated !== undefined && nominated !== (pod.status?.nominatedNodeName ?? '');
    if (same && !renominated) return;
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      observedGeneration: pod.metadata?.generation ?? 1,
      lastProbeTime: null,
      lastTransitionTime:
        before?.status === 'False' ? before.lastTransitionTime : formatTime(this.#context.clock.now()),
      reason,
      message,
    } as unknown as PodCondition;
    const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
    await this.#patchStatus(pod, {
      conditions: [...others, condition],
      ...(renominated ? { nominatedNodeName: nominated } : {}),
    });
  }

  /** Room is no longer made for a pod. */
  async clearNomination(pod: Pod): Promise<void> {
    if ((pod.status?.nominatedNodeName ?? '') !== '') await this.#patchStatus(pod, { nominatedNodeName: '' });
  }

  /** Deletes a pod to make room; whether it was there to be deleted. */
  async evict(victim: Pod): Promise<boolean> {
    const { name = '', namespace, uid } = victim.metadata ?? {};
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      observedGeneration: victim.metadata?.generation ?? 1,
      lastTransitionTime: formatTime(this.#context.clock.now()),
      reason: 'PreemptionByScheduler',
      message: `${this.#schedulerName}: preempting to accommodate a higher priority pod`,
    } as PodCondition;
    const others = (victim.status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget');
    await this.#patchStatus(victim, { conditions: [...others, condition] });
    try {
      await this.#context.client
        .resource(resources.pods)
        .delete({ name, namespace }, uid === undefined ? {} : { preconditions: { uid } });
      return true;
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return false;
      throw error;
    }
  }

  async #patchStatus(pod: Pod, status: Pod['status']): Promise<void> {
    const { name = '', namespace, uid } = pod.metadata ?? {};
    try {
      await this.#context.client
        .resource(resources.pods)
        .patch({ name, namespace }, { metadata: { uid }, status }, { subresource: 'status' });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
