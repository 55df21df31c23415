import {
  formatTime,
  isConflict,
  messageOf,
  parseLabelSelector,
  Quantity,
  type LabelSelector,
} from '@kubechain/apimachinery';
import type { Scale } from '@kubechain/apimachinery/types/autoscaling/v1';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '@kubechain/apimachinery/types/autoscaling/v2';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { isDeepStrictEqual } from 'node:util';
import { resourcePath, type ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { withCondition } from '../controller/conditions.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { UnknownKindError, type ResourceMapper } from '../discovery/resource-mapper.ts';
import type { EventRecorder, EventType } from '../events/event-recorder.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { countByMetric, MetricError } from './metric-count.ts';
import type { MetricsClient } from './metrics-client.ts';
import type { Recommendations } from './recommendations.ts';
import type { Tolerances } from './replica-count.ts';

const rescaleTries = 5;

/** What one pass over an autoscaler works with. */
export interface AutoscalerSyncOptions {
  readonly context: ControllerContext;
  readonly recorder: EventRecorder;
  readonly mapper: ResourceMapper;
  readonly metrics: MetricsClient;
  readonly pods: SharedInformer<Pod>;
  /** The history of this autoscaler, begun with so many replicas where there is none. */
  readonly history: (current: number) => Recommendations;
  /** Remembers the selector, and answers with the keys of all autoscalers that select one of the pods. */
  readonly selecting: (selector: LabelSelector, pods: readonly Pod[]) => Promise<readonly string[]>;
}

/** What is wanted of the target now, and why. */
interface Decision {
  readonly replicas: number;
  readonly reason: string;
  readonly currentMetrics: readonly MetricStatus[];
}

/** The pass is over: the status says why. */
class Told extends Error {
  override readonly name = 'Told';
}

/** One pass over an autoscaler: measures, decides, scales, and says so (reconcileAutoscaler, 1.36). */
export class AutoscalerSync {
  readonly #options: AutoscalerSyncOptions;
  readonly #nowMs: number;
  readonly #autoscaler: HorizontalPodAutoscaler;
  #status: HorizontalPodAutoscalerStatus;

  constructor(autoscaler: HorizontalPodAutoscaler, options: AutoscalerSyncOptions) {
    this.#options = options;
    this.#nowMs = options.context.clock.now();
    this.#autoscaler = autoscaler;
    this.#status = structuredClone(autoscaler.status ?? { desiredReplicas: 0 });
  }

  /** @throws Error that says why nothing could be done; the status has it too */
  async sync(): Promise<void> {
    let failure: unknown;
    try {
      await this.#decideAndScale();
    } catch (error) {
      failure = error;
    }
    await this.#writeStatus();
    if (failure !== undefined) throw failure as Error;
  }

  async #decideAndScale(): Promise<void> {
    const { maxReplicas, minReplicas = 1 } = this.#autoscaler.spec;
    const { scale, type } = await this.#readScale();
    const current = scale.spec?.replicas ?? 0;
    const history = this.#options.history(current);
    const decision = await this.#decide(scale, { current, history, max: maxReplicas, min: minReplicas });
    if (decision === undefined || decision.replicas === current) {
      this.#setStatus(current, { desired: current, currentMetrics: decision?.currentMetrics });
      return;
    }
    const { reason, replicas } = decision;
    try {
      await this.#rescale(scale, type, replicas);
    } catch (error) {
      const message = messageOf(error);
      this.#tell('Warning', 'FailedRescale', `New size: ${replicas}; reason: ${reason}; error: ${message}`);
      const why = `the HPA controller was unable to update the target scale: ${message}`;
      this.#condition('AbleToScale', false, 'FailedUpdateScale', why);
      this.#setStatus(current, { currentMetrics: decision.currentMetrics });
      throw new Told(`failed to rescale ${this.#target()}: ${message}`, { cause: error });
    }
    const done = `the HPA controller was able to update the target scale to ${replicas}`;
    this.#condition('AbleToScale', true, 'SucceededRescale', done);
    this.#tell('Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${reason}`);
    history.scaled(this.#autoscaler.spec.behavior, replicas - current, this.#nowMs);
    this.#setStatus(current, { desired: replicas, currentMetrics: decision.currentMetrics });
    this.#status.lastScaleTime = formatTime(this.#nowMs);
  }

  async #readScale(): Promise<{ readonly scale: Scale; readonly type: ResourceType }> {
    const { apiVersion = '', kind, name } = this.#autoscaler.spec.scaleTargetRef;
    const namespace = this.#autoscaler.metadata?.namespace ?? '';
    try {
      const type = await this.#options.mapper.resourceOf(apiVersion === '' ? 'v1' : apiVersion, kind);
      const path = resourcePath(type, { namespace, name, subresource: 'scale' });
      const { group, resource } = type;
      const scale = await this.#options.context.client.json<Scale>({
        method: 'GET',
        path,
        about: { group, resource, name },
      });
      const able = "the HPA controller was able to get the target's current scale";
      this.#condition('AbleToScale', true, 'SucceededGetScale', able);
      return { scale, type };
    } catch (error) {
      const slash = apiVersion.indexOf('/');
      const group = slash < 0 ? '' : apiVersion.slice(0, slash);
      const message =
        error instanceof UnknownKindError
          ? `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`
          : messageOf(error);
      this.#tell('Warning', 'FailedGetScale', message);
      const why = `the HPA controller was unable to get the target's current scale: ${message}`;
      this.#condition('AbleToScale', false, 'FailedGetScale', why);
      throw new Told(`failed to query scale subresource for ${this.#target()}: ${message}`, { cause: error });
    }
  }

  /** Undefined where nothing is to be done, since somebody has set the target to nothing. */
  async #decide(
    scale: Scale,
    {
      current,
      history,
      max,
      min,
    }: { readonly current: number; readonly history: Recommendations; readonly min: number; readonly max: number },
  ): Promise<Decision | undefined> {
    if (current === 0) {
      const why = 'scaling is disabled since the replica count of the target is zero';
      this.#condition('ScalingActive', false, 'ScalingDisabled', why);
      return undefined;
    }
    if (current > max)
      return { replicas: max, reason: 'Current number of replicas above Spec.MaxReplicas', currentMetrics: [] };
    if (current < min)
      return { replicas: min, reason: 'Current number of replicas below Spec.MinReplicas', currentMetrics: [] };
    const { currentMetrics, name, replicas } = await this.#measure(scale, current);
    const { behavior } = this.#autoscaler.spec;
    const wish = { current, desired: replicas, max, min };
    const normalized = history.normalize(wish, behavior, this.#nowMs);
    const { limit, limited, stabilization } = normalized;
    this.#condition('AbleToScale', true, stabilization.reason, stabilization.message);
    this.#condition('ScalingLimited', limited, limit.reason, limit.message);
    const reason = replicas > current ? `${name} above target` : replicas < current ? 'All metrics below target' : '';
    return { replicas: normalized.replicas, reason, currentMetrics };
  }

  /** The most that a metric asks for (computeReplicasForMetrics, 1.36). */
  async #measure(
    scale: Scale,
    current: number,
  ): Promise<{ readonly replicas: number; readonly name: string; readonly currentMetrics: readonly MetricStatus[] }> {
    const specs = this.#autoscaler.spec.metrics ?? [];
    const { pods, selector } = await this.#podsOf(scale, current);
    const { flags } = this.#options.context;
    const query = {
      metrics: this.#options.metrics,
      namespace: this.#autoscaler.metadata?.namespace ?? '',
      selector,
      pods,
      currentReplicas: current,
      statusReplicas: scale.status?.replicas ?? 0,
      tolerances: this.#tolerances(),
      nowMs: this.#nowMs,
      cpuInitializationMs: flags.autoscaling['horizontal-pod-autoscaler-cpu-initialization-period'],
      readinessDelayMs: flags.autoscaling['horizontal-pod-autoscaler-initial-readiness-delay'],
    };
    const currentMetrics: MetricStatus[] = [];
    const errors: MetricError[] = [];
    let best = { replicas: 0, name: '' };
    for (const spec of specs) {
      try {
        const count = await countByMetric(spec, query);
        currentMetrics.push(count.status);
        if (best.replicas === 0 || count.replicas > best.replicas) best = count;
      } catch (error) {
        if (!(error instanceof MetricError)) throw error;
        this.#tell('Warning', error.reason, error.inner);
        // The reference leaves an empty place.
        currentMetrics.push({ type: '' });
        errors.push(error);
      }
    }
    const [first] = errors;
    // What is missing may ask for more: then nothing is taken away.
    if (first !== undefined && (errors.length >= specs.length || best.replicas < current)) {
      const why = `the HPA was unable to compute the replica count: ${first.inner}`;
      this.#condition('ScalingActive', false, first.reason, why);
      this.#failComputing(
        `invalid metrics (${errors.length} invalid out of ${specs.length}), first error is: ${first.message}`,
        { current, currentMetrics },
      );
    }
    const found = `the HPA was able to successfully calculate a replica count from ${best.name}`;
    this.#condition('ScalingActive', true, 'ValidMetricFound', found);
    return { replicas: best.replicas, name: best.name, currentMetrics };
  }

  async #podsOf(scale: Scale, current: number): Promise<{ readonly pods: readonly Pod[]; readonly selector: string }> {
    const text = scale.status?.selector ?? '';
    const invalid = (reason: string, event: string, condition: string): never => {
      this.#tell('Warning', reason, event);
      this.#condition('ScalingActive', false, reason === 'SelectorRequired' ? 'InvalidSelector' : reason, condition);
      return this.#failComputing(event, { current });
    };
    if (text === '')
      return invalid('SelectorRequired', 'selector is required', "the HPA target's scale is missing a selector");
    let selector: LabelSelector;
    try {
      selector = parseLabelSelector(text);
    } catch (error) {
      const message = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`;
      return invalid('InvalidSelector', message, message);
    }
    const pods = this.#options.pods
      .list(this.#autoscaler.metadata?.namespace ?? '')
      .filter(({ metadata }) => selector.matches(metadata?.labels));
    const selecting = await this.#options.selecting(selector, pods);
    if (selecting.length > 1) {
      const message = `pods by selector ${text} are controlled by multiple HPAs: [${selecting.join(' ')}]`;
      return invalid('AmbiguousSelector', message, message);
    }
    return { pods, selector: text };
  }

  #failComputing(
    message: string,
    { current, currentMetrics }: { readonly current: number; readonly currentMetrics?: readonly MetricStatus[] },
  ): never {
    this.#setStatus(current, { currentMetrics });
    this.#tell('Warning', 'FailedComputeMetricsReplicas', message);
    throw new Told(
      `failed to compute desired number of replicas based on listed metrics for ${this.#target()}: ${message}`,
    );
  }

  async #rescale(scale: Scale, type: ResourceType, replicas: number): Promise<void> {
    const { client } = this.#options.context;
    const { name } = this.#autoscaler.spec.scaleTargetRef;
    const namespace = this.#autoscaler.metadata?.namespace ?? '';
    const path = resourcePath(type, { namespace, name, subresource: 'scale' });
    let fresh = scale;
    for (let attempt = 1; ; attempt++) {
      try {
        await client.json({ method: 'PUT', path, body: { ...fresh, spec: { ...fresh.spec, replicas } } });
        return;
      } catch (error) {
        if (!isConflict(error) || attempt === rescaleTries) throw error;
        fresh = await client.json<Scale>({ method: 'GET', path });
      }
    }
  }

  #tolerances(): Tolerances {
    const usual = this.#options.context.flags.autoscaling['horizontal-pod-autoscaler-tolerance'];
    const { scaleDown, scaleUp } = this.#autoscaler.spec.behavior ?? {};
    const of = (text: string | undefined): number => (text === undefined ? usual : Quantity.parse(text).toNumber());
    return { scaleDown: of(scaleDown?.tolerance), scaleUp: of(scaleUp?.tolerance) };
  }

  #target(): string {
    const { kind, name } = this.#autoscaler.spec.scaleTargetRef;
    return `${kind}/${this.#autoscaler.metadata?.namespace ?? ''}/${name}`;
  }

  #setStatus(
    currentReplicas: number,
    {
      currentMetrics = [],
      desired = this.#status.desiredReplicas,
    }: { readonly desired?: number; readonly currentMetrics?: readonly MetricStatus[] | undefined },
  ): void {
    const { conditions, lastScaleTime } = this.#status;
    this.#status = {
      currentReplicas,
      desiredReplicas: desired,
      ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
      ...(currentMetrics.length === 0 ? {} : { currentMetrics: [...currentMetrics] }),
      ...(conditions === undefined ? {} : { conditions }),
    };
  }

  #condition(type: string, is: boolean, reason: string, message: string): void {
    const condition = { type, status: is ? 'True' : 'False', reason, message };
    this.#status.conditions = withCondition(this.#status.conditions, condition, this.#nowMs);
  }

  async #writeStatus(): Promise<void> {
    const before = this.#autoscaler.status ?? { desiredReplicas: 0 };
    if (isDeepStrictEqual(normalized(before), normalized(this.#status))) return;
    try {
      await this.#options.context.client
        .resource(resources.horizontalpodautoscalers)
        .updateStatus({ ...this.#autoscaler, status: this.#status });
    } catch (error) {
      this.#tell('Warning', 'FailedUpdateStatus', messageOf(error));
      const name = this.#autoscaler.metadata?.name ?? '';
      throw new Error(`failed to update status for ${name}: ${messageOf(error)}`, { cause: error });
    }
  }

  #tell(type: EventType, reason: string, message: string): void {
    this.#options.recorder.event(this.#autoscaler, resources.horizontalpodautoscalers, { type, reason, message });
  }
}

/** Without what the server leaves out or adds. */
function normalized(status: HorizontalPodAutoscalerStatus): unknown {
  const { conditions = [], currentMetrics = [], currentReplicas = 0, desiredReplicas, lastScaleTime } = status;
  return { conditions, currentMetrics: currentMetrics ?? [], currentReplicas, desiredReplicas, lastScaleTime };
}
