import { isConflict, messageOf, selectorFromObject, type LabelSelectorObject } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '@kubechain/apimachinery/types/policy/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { inTurns } from '../clock/in-turns.ts';
import { withCondition } from '../controller/conditions.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { selectorOf } from '../controller/selector-of.ts';
import { scaledCount } from '../controller/scaled-count.ts';
import type { EventRecorder, EventType } from '../events/event-recorder.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { SelectingObjects } from '../selectors/selecting-objects.ts';
import { budgetStatus, countHealthy, disruptedPods, failedStatus } from './budget-status.ts';
import { OwnerScales } from './expected-pods.ts';
import { describeSelector } from '../controller/describe-selector.ts';
import { staleInMs } from './stale-disruption.ts';

/**
 * Budgets that are counted at a time, where the reference has one worker. Each pod of one may have another owner, whose
 * scale is asked for: budgets of other namespaces do not wait for that.
 */
const budgetWorkers = 4;

/** Says how many pods of a budget may be evicted (pkg/controller/disruption, 1.36). */
export class DisruptionController implements Controller {
  readonly #context: ControllerContext;
  readonly #budgets: SharedInformer<PodDisruptionBudget>;
  readonly #pods: SharedInformer<Pod>;
  readonly #scales: OwnerScales;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;
  readonly #selecting: SelectingObjects<PodDisruptionBudget, Pod>;
  /** Keys of pods that are said to be about to be disrupted. */
  readonly #stale: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('controllermanager');
    this.#queue = namespacedQueue(context, 'disruption');
    this.#stale = namespacedQueue(context, 'stale_pod_disruption');
    this.#budgets = context.informers.informer(resources.poddisruptionbudgets);
    this.#pods = context.informers.informer(resources.pods);
    this.#scales = new OwnerScales(context);
    this.#selecting = new SelectingObjects<PodDisruptionBudget, Pod>({
      clock: context.clock,
      objects: this.#budgets,
      selectorOf,
      // Which one is chosen, and whether it is the only one.
      most: 2,
      found: ([chosen = '', other], pods) => this.#choose(chosen, other === undefined ? [] : pods),
      onError: (error) => context.log.error('cannot tell which budgets a pod has', error),
    });
    const queueBudget = (budget: PodDisruptionBudget): void => this.#queue.add(keyOf(budget));
    this.#budgets.addHandlers({ onAdd: queueBudget, onUpdate: queueBudget });
    const podChanged = (pod: Pod): void => {
      this.#selecting.ask(pod.metadata ?? {}, { asker: pod });
      const leftMs = staleInMs(pod, context.clock.now());
      if (leftMs !== undefined) this.#stale.addAfter(keyOf(pod), leftMs);
    };
    this.#pods.addHandlers({
      onAdd: podChanged,
      onUpdate: podChanged,
      onDelete: (pod) => this.#selecting.ask(pod.metadata ?? {}, { asker: pod }),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#budgets.waitForSync(signal),
      this.#pods.waitForSync(signal),
      this.#scales.waitForSync(signal),
    ]);
    const { log } = this.#context;
    await Promise.all([
      runWorkers({
        queue: this.#queue,
        workers: budgetWorkers,
        signal,
        sync: (key) => this.#sync(key),
        onError: (error, budget) => log.error('Error syncing PodDisruptionBudget, requeuing', error, { budget }),
      }),
      runWorkers({
        queue: this.#stale,
        workers: 1,
        signal,
        sync: (key) => this.#syncStale(key),
        onError: (error, pod) => log.error('cannot take back that a pod is about to be disrupted', error, { pod }),
      }),
      this.#selecting.run(signal),
    ]);
  }

  /** `pods`: those that are told that they have others, too. */
  async #choose(budget: string, pods: readonly Pod[]): Promise<void> {
    this.#queue.add(budget);
    await inTurns(pods, (pod) => {
      const { name = '', namespace = '' } = pod.metadata ?? {};
      const message =
        `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose ` +
        `"${splitKey(budget).name}" arbitrarily.`;
      this.#recorder.event(pod, resources.pods, { type: 'Warning', reason: 'MultiplePodDisruptionBudgets', message });
    });
  }

  async #sync(key: string): Promise<void> {
    const budget = this.#budgets.get(key);
    if (budget === undefined) return;
    try {
      await this.#count(budget);
    } catch (error) {
      if (isConflict(error)) throw error;
      this.#context.log.error('Failed to sync PDB', error, { budget: key });
      await this.#write(budget, failedStatus(budget, messageOf(error), this.#context.clock.now()));
    }
  }

  async #count(budget: PodDisruptionBudget): Promise<void> {
    const selector = selectorFromObject(budget.spec?.selector as LabelSelectorObject | undefined);
    const pods: Pod[] = [];
    await inTurns(this.#pods.list(budget.metadata?.namespace ?? ''), (pod) => {
      if (selector.matches(pod.metadata?.labels)) pods.push(pod);
    });
    if (pods.length === 0) this.#tell(budget, 'Normal', 'NoPods', 'No matching pods found');
    const { desiredHealthy, expectedPods } = await this.#expect(budget, pods);
    const nowMs = this.#context.clock.now();
    const { notDeleted, recheckMs, under } = await disruptedPods(budget, pods, nowMs);
    for (const pod of notDeleted) {
      // The reference names the namespace twice.
      const { namespace = '' } = budget.metadata ?? {};
      const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
      this.#recorder.event(pod, resources.pods, { type: 'Warning', reason: 'NotDeleted', message });
    }
    const currentHealthy = await countHealthy(pods, under);
    const counts = { currentHealthy, desiredHealthy, disruptedPods: under, expectedPods };
    const status = budgetStatus(budget, counts, nowMs);
    if (status !== undefined) await this.#write(budget, status);
    if (recheckMs !== undefined) this.#queue.addAfter(keyOf(budget), recheckMs + 1);
  }

  async #expect(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
  ): Promise<{ readonly expectedPods: number; readonly desiredHealthy: number }> {
    const { maxUnavailable, minAvailable } = budget.spec ?? {};
    if (maxUnavailable === undefined && typeof minAvailable === 'number')
      return { expectedPods: pods.length, desiredHealthy: minAvailable };
    if (maxUnavailable === undefined && minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
    const { count, unmanaged } = await this.#scales.of(pods).catch((error: unknown) => {
      const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
      this.#tell(budget, 'Warning', 'CalculateExpectedPodCountFailed', message);
      throw error;
    });
    if (unmanaged.length > 0)
      this.#tell(
        budget,
        'Warning',
        'UnmanagedPods',
        `Pods selected by this PodDisruptionBudget (selector: ${describeSelector(budget.spec?.selector)}) were found ` +
          'to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in ' +
          'undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an ' +
          'integer value.',
      );
    return {
      expectedPods: count,
      desiredHealthy:
        maxUnavailable === undefined
          ? scaledCount(minAvailable, count)
          : Math.max(0, count - scaledCount(maxUnavailable, count)),
    };
  }

  async #write(budget: PodDisruptionBudget, status: PodDisruptionBudgetStatus): Promise<void> {
    await this.#context.client.resource(resources.poddisruptionbudgets).updateStatus({ ...budget, status });
  }

  async #syncStale(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    const { clock } = this.#context;
    const leftMs = pod === undefined ? undefined : staleInMs(pod, clock.now());
    if (pod === undefined || leftMs === undefined) return;
    if (leftMs > 0) {
      this.#stale.addAfter(key, leftMs);
      return;
    }
    const conditions = withCondition(
      pod.status?.conditions,
      { type: 'DisruptionTarget', status: 'False', observedGeneration: pod.metadata?.generation ?? 0 },
      clock.now(),
    );
    await this.#context.client.resource(resources.pods).updateStatus({ ...pod, status: { ...pod.status, conditions } });
  }

  #tell(budget: PodDisruptionBudget, type: EventType, reason: string, message: string): void {
    this.#recorder.event(budget, resources.poddisruptionbudgets, { type, reason, message });
  }
}
