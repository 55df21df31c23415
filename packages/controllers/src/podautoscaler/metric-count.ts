import { messageOf, Quantity, selectorFromObject, type LabelSelectorObject } from '@kubechain/apimachinery';
import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricValueStatus,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from '@kubechain/apimachinery/types/autoscaling/v2';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { describeSelector } from '../controller/describe-selector.ts';
import type { MetricsClient } from './metrics-client.ts';
import { podRequests } from './pod-requests.ts';
import { countByPods, countByValue, countPerPod, type CountOptions } from './replica-count.ts';

/** What a metric is looked at for. */
export interface MetricQuery extends CountOptions {
  readonly metrics: MetricsClient;
  readonly namespace: string;
  /** Of the target's pods. */
  readonly selector: string;
  readonly pods: readonly Pod[];
  readonly statusReplicas: number;
}

/** Replicas that a metric asks for, what it is called, and what it is now. */
export interface MetricCount {
  readonly replicas: number;
  readonly name: string;
  readonly status: MetricStatus;
}

/** Why a metric says nothing: `reason` of the event and the condition, `inner` their text. */
export class MetricError extends Error {
  override readonly name = 'MetricError';
  readonly reason: string;
  readonly inner: string;

  constructor(reason: string, around: string, cause: unknown) {
    super(`${around}: ${messageOf(cause)}`, { cause });
    this.reason = reason;
    this.inner = messageOf(cause instanceof UntoldError ? cause.cause : cause);
  }
}

/** What only those read who put several metrics together; events and conditions tell its cause. */
class UntoldError extends Error {
  override readonly name = 'UntoldError';
}

/** @throws MetricError in the words of the reference (computeReplicasForMetric, 1.36) */
export async function countByMetric(
  { containerResource, external, object, pods, resource, type }: MetricSpec,
  query: MetricQuery,
): Promise<MetricCount> {
  if (resource !== undefined)
    return failing('FailedGetResourceMetric', `failed to get ${resource.name} resource metric value`, () =>
      byResource(resource, query),
    );
  if (containerResource !== undefined) {
    const around = `failed to get ${containerResource.container} container metric value`;
    return failing('FailedGetContainerResourceMetric', around, () => byContainer(containerResource, query));
  }
  if (pods !== undefined)
    return failing('FailedGetPodsMetric', 'failed to get pods metric value', () => byPods(pods, query));
  if (object !== undefined)
    return failing('FailedGetObjectMetric', 'failed to get object metric value', () => byObject(object, query));
  if (external !== undefined) {
    const around = `failed to get ${external.metric.name} external metric value`;
    return failing('FailedGetExternalMetric', around, () => byExternal(external, query));
  }
  const unknown = new Error(`unknown metric source type ${JSON.stringify(type)}`);
  throw new MetricError('InvalidMetricSourceType', 'failed to get metric value', unknown);
}

async function failing<T>(reason: string, around: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MetricError(reason, around, error);
  }
}

async function within<T>(around: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${around}: ${messageOf(error)}`, { cause: error });
  }
}

async function untold<T>(around: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new UntoldError(`${around}: ${messageOf(cause)}`, { cause });
  }
}

async function byResource(source: ResourceMetricSource, query: MetricQuery): Promise<MetricCount> {
  const { current, replicas, utilization } = await measureResource(source, query, '');
  return {
    replicas,
    name: `${source.name} resource${utilization ? ' utilization (percentage of request)' : ''}`,
    status: { type: 'Resource', resource: { name: source.name, current } },
  };
}

async function byContainer(source: ContainerResourceMetricSource, query: MetricQuery): Promise<MetricCount> {
  const { container, name } = source;
  const { current, replicas, utilization } = await measureResource(source, query, container);
  return {
    replicas,
    name: utilization ? `${name} container resource utilization (percentage of request)` : `${name} resource`,
    status: { type: 'ContainerResource', containerResource: { name, container, current } },
  };
}

async function measureResource(
  { name, target }: ResourceMetricSource,
  query: MetricQuery,
  container: string,
): Promise<{ readonly replicas: number; readonly current: MetricValueStatus; readonly utilization: boolean }> {
  const utilization = target.averageValue === undefined;
  const percent = target.averageUtilization;
  if (utilization && percent === undefined)
    throw new Error(
      'invalid resource metric source: neither an average utilization target nor an average value (usage) ' +
        'target was set',
    );
  return within(`failed to get ${name} ${utilization ? 'utilization' : 'usage'}`, async () => {
    const metrics = await within(`unable to get metrics for resource ${name}`, () =>
      query.metrics.resource(name, query, container),
    );
    const counted = countByPods(
      query.pods,
      metrics,
      utilization
        ? {
            kind: 'utilization',
            percent: percent ?? 0,
            requests: () => podRequests(query.pods, { resource: name, container }),
          }
        : { kind: 'milli', milli: milliOf(target.averageValue) },
      { ...query, resource: name },
    );
    const averageValue = quantity(counted.milli, name === 'memory' ? 'BinarySI' : 'DecimalSI');
    return {
      replicas: counted.replicas,
      current: {
        ...(counted.utilization === undefined ? {} : { averageUtilization: counted.utilization }),
        averageValue,
      },
      utilization,
    };
  });
}

async function byPods({ metric, target }: PodsMetricSource, query: MetricQuery): Promise<MetricCount> {
  const metrics = await within(`unable to get metric ${metric.name}`, () =>
    query.metrics.pods(metric.name, query, selectorText(metric)),
  );
  const wanted = { kind: 'milli', milli: milliOf(target.averageValue) } as const;
  const { milli, replicas } = countByPods(query.pods, metrics, wanted, query);
  return {
    replicas,
    name: `pods metric ${metric.name}`,
    status: { type: 'Pods', pods: { metric, current: { averageValue: quantity(milli) } } },
  };
}

async function byObject(
  { describedObject, metric, target }: ObjectMetricSource,
  query: MetricQuery,
): Promise<MetricCount> {
  const { namespace } = query;
  const measure = (): Promise<number> =>
    query.metrics
      .object(metric.name, { ...describedObject, namespace }, selectorText(metric))
      .catch((error: unknown) => {
        // The reference fills its sentence in this order.
        const { kind, name } = describedObject;
        const message = `unable to get metric ${metric.name}: ${kind} on ${namespace} ${name}/${messageOf(error)}`;
        throw new Error(message, { cause: error });
      });
  const status = (current: MetricValueStatus): MetricStatus => ({
    type: 'Object',
    object: { describedObject, metric, current },
  });
  if (target.type === 'Value' && target.value !== undefined) {
    const { milli, replicas } = countByValue(
      query.pods,
      { milli: await measure(), targetMilli: milliOf(target.value) },
      query,
    );
    const name = `${describedObject.kind} metric ${metric.name}`;
    return { replicas, name, status: status({ value: quantity(milli) }) };
  }
  if (target.type === 'AverageValue' && target.averageValue !== undefined)
    return untold(`failed to get ${metric.name} object metric`, async () => {
      const { milli, replicas } = countPerPod(
        { milli: await measure(), targetMilli: milliOf(target.averageValue) },
        query,
      );
      return { replicas, name: externalName(metric), status: status({ averageValue: quantity(milli) }) };
    });
  throw new Error('invalid object metric source: neither a value target nor an average value target was set');
}

async function byExternal({ metric, target }: ExternalMetricSource, query: MetricQuery): Promise<MetricCount> {
  const { namespace } = query;
  const measure = (): Promise<number> =>
    within(`unable to get external metric ${namespace}/${metric.name}/${describeSelector(metric.selector)}`, async () =>
      (await query.metrics.external(metric.name, namespace, selectorText(metric))).reduce((sum, one) => sum + one, 0),
    );
  const status = (current: MetricValueStatus): MetricStatus => ({ type: 'External', external: { metric, current } });
  if (target.averageValue !== undefined)
    return untold(`failed to get ${metric.name} external metric`, async () => {
      const { milli, replicas } = countPerPod(
        { milli: await measure(), targetMilli: milliOf(target.averageValue) },
        query,
      );
      return { replicas, name: externalName(metric), status: status({ averageValue: quantity(milli) }) };
    });
  if (target.value !== undefined)
    return untold(`failed to get external metric ${metric.name}`, async () => {
      const { milli, replicas } = countByValue(
        query.pods,
        { milli: await measure(), targetMilli: milliOf(target.value) },
        query,
      );
      return { replicas, name: externalName(metric), status: status({ value: quantity(milli) }) };
    });
  throw new Error('invalid external metric source: neither a value target nor an average value target was set');
}

function externalName({ name, selector }: MetricIdentifier): string {
  return `external metric ${name}(${describeSelector(selector)})`;
}

function selectorText({ selector }: MetricIdentifier): string {
  return selectorFromObject(selector as LabelSelectorObject | undefined).toString();
}

function milliOf(text: string | undefined): number {
  return text === undefined ? 0 : Number(Quantity.parse(text).milliValue());
}

function quantity(milli: number, format: 'BinarySI' | 'DecimalSI' = 'DecimalSI'): string {
  return new Quantity(BigInt(milli), -3, format).toString();
}
