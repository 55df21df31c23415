import type { LabelSelector } from '@kubechain/apimachinery';
import type { HorizontalPodAutoscaler } from '@kubechain/apimachinery/types/autoscaling/v2';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { inTurns } from '../clock/in-turns.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { ResourceMapper } from '../discovery/resource-mapper.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { SelectorIndex } from '../selectors/selector-index.ts';
import { AutoscalerSync } from './autoscaler-sync.ts';
import { MetricsClient } from './metrics-client.ts';
import { Recommendations } from './recommendations.ts';

/**
 * Sets the size of what has a scale by metrics, each autoscaler once in a period (pkg/controller/podautoscaler,
 * 1.36).
 */
export class HorizontalController implements Controller {
  readonly #context: ControllerContext;
  readonly #periodMs: number;
  readonly #autoscalers: SharedInformer<HorizontalPodAutoscaler>;
  readonly #pods: SharedInformer<Pod>;
  readonly #recorder: EventRecorder;
  readonly #mapper: ResourceMapper;
  readonly #metrics: MetricsClient;
  readonly #queue: WorkQueue;
  readonly #histories = new Map<string, Recommendations>();
  /** By autoscaler: its target's selector, once it is known. */
  readonly #selectors = new SelectorIndex();

  constructor(context: ControllerContext) {
    const { clock, flags, informers } = context;
    this.#context = context;
    this.#periodMs = flags.autoscaling['horizontal-pod-autoscaler-sync-period'];
    this.#recorder = context.recorder('horizontal-pod-autoscaler');
    this.#mapper = new ResourceMapper(context.discovery, () => clock.now());
    this.#metrics = new MetricsClient(context.client, this.#mapper);
    this.#queue = namespacedQueue(context, 'horizontalpodautoscaler');
    this.#autoscalers = informers.informer(resources.horizontalpodautoscalers);
    this.#pods = informers.informer(resources.pods);
    const plan = (autoscaler: HorizontalPodAutoscaler): void => this.#queue.addAfter(keyOf(autoscaler), this.#periodMs);
    this.#autoscalers.addHandlers({
      onAdd: plan,
      onUpdate: plan,
      onDelete: (autoscaler) => {
        this.#histories.delete(keyOf(autoscaler));
        this.#selectors.delete(keyOf(autoscaler));
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#autoscalers.waitForSync(signal), this.#pods.waitForSync(signal)]);
    await runWorkers({
      queue: this.#queue,
      workers: this.#context.flags.concurrency['concurrent-horizontal-pod-autoscaler-syncs'],
      signal,
      sync: (key) => this.#sync(key),
    });
  }

  async #sync(key: string): Promise<void> {
    const autoscaler = this.#autoscalers.get(key);
    if (autoscaler === undefined) return;
    try {
      await new AutoscalerSync(autoscaler, {
        context: this.#context,
        recorder: this.#recorder,
        mapper: this.#mapper,
        metrics: this.#metrics,
        pods: this.#pods,
        history: (current) => this.#historyOf(key, current),
        selecting: (selector, pods) => this.#selecting(key, selector, pods),
      }).sync();
    } catch (error) {
      // Events and the status tell it to users; it is tried again in the next period.
      this.#context.log.info('an autoscaler cannot do its work', { autoscaler: key, err: String(error) }, 2);
    }
    this.#queue.addAfter(key, this.#periodMs);
  }

  #historyOf(key: string, current: number): Recommendations {
    let history = this.#histories.get(key);
    if (history === undefined) {
      const windowMs = this.#context.flags.autoscaling['horizontal-pod-autoscaler-downscale-stabilization'];
      this.#histories.set(key, (history = new Recommendations(windowMs, current, this.#context.clock.now())));
    }
    return history;
  }

  async #selecting(key: string, selector: LabelSelector, pods: readonly Pod[]): Promise<readonly string[]> {
    this.#selectors.set(key, selector);
    const { namespace } = splitKey(key);
    // Pods of one template have the same labels.
    const labels = new Map(pods.map(({ metadata }) => [JSON.stringify(metadata?.labels ?? {}), metadata?.labels]));
    const found = new Set<string>();
    for (const each of labels.values())
      await inTurns(this.#selectors.candidates(namespace, each ?? {}), ([other, known]) => {
        if (known.matches(each)) found.add(other);
      });
    return [...found];
  }
}
