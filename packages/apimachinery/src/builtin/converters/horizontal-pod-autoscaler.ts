import { parseJSON } from '../../serializer/json/parse-text.ts';
import { encodeJSONText } from '../../serializer/json/encode.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Converter } from '../../runtime/converter.ts';
import type { KubeObject } from '../../object/object.ts';
import { data, defined, metricToV1, metricToV2 } from './metrics.ts';

/*
 * autoscaling/v1 knows only CPU utilization; what else v2 says travels in annotations
 * (pkg/apis/autoscaling/v1/conversion.go, Kubernetes 1.36).
 */

type Data = Record<string, unknown>;

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`,
  CURRENT_METRICS = `${PREFIX}current-metrics`,
  CONDITIONS = `${PREFIX}conditions`,
  BEHAVIOR = `${PREFIX}behavior`;
const ROUND_TRIP = [
  METRICS,
  CURRENT_METRICS,
  CONDITIONS,
  BEHAVIOR,
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
];
/** Percent of the request that v1 aims at when it says nothing. */
const DEFAULT_CPU_UTILIZATION = 80;
const SPEC_FIELDS = ['scaleTargetRef', 'minReplicas', 'maxReplicas'];
const STATUS_FIELDS = ['observedGeneration', 'lastScaleTime', 'currentReplicas', 'desiredReplicas'];

const V1 = { group: 'autoscaling', version: 'v1' },
  V2 = { group: 'autoscaling', version: 'v2' };

/** HorizontalPodAutoscaler and its list between v1 and v2. */
export function horizontalPodAutoscalerConverters(schemas: Schemas): readonly Converter[] {
  const downgrade = (v2: KubeObject): KubeObject => toV1(v2, schemas);
  return [
    { from: { ...V2, kind: 'HorizontalPodAutoscaler' }, to: V1, convert: downgrade },
    { from: { ...V1, kind: 'HorizontalPodAutoscaler' }, to: V2, convert: toV2 },
    { from: { ...V2, kind: 'HorizontalPodAutoscalerList' }, to: V1, convert: (list) => eachItem(list, downgrade) },
    { from: { ...V1, kind: 'HorizontalPodAutoscalerList' }, to: V2, convert: (list) => eachItem(list, toV2) },
  ];
}

/** Schemas of a release by definition. */
type Schemas = (definition: string) => Schema;

function toV1(v2: KubeObject, schemas: Schemas): KubeObject {
  const encodeList = (items: readonly Data[], type: string): string => {
    const schema = schemas(`io.k8s.api.autoscaling.v1.${type}`);
    return `[${items.map((item) => encodeJSONText(item, schema)).join(',')}]`;
  };
  const spec = data(v2['spec']) ?? {},
    status = data(v2['status']) ?? {};
  const metrics = list(spec['metrics']),
    currentMetrics = list(status['currentMetrics']),
    conditions = list(status['conditions']);
  const annotations = withoutRoundTrip(v2.metadata?.annotations) ?? {};
  const others = metrics.filter((metric) => cpuUtilization(metric, 'target') === undefined);
  if (others.length > 0)
    annotations[METRICS] = encodeList(
      others.map((metric) => metricToV1(metric, 'target')),
      'MetricSpec',
    );
  // Kept even if it maps to a CPU utilization: the raw value is only here.
  if (currentMetrics.length > 0)
    annotations[CURRENT_METRICS] = encodeList(
      currentMetrics.map((metric) => metricToV1(metric, 'current')),
      'MetricStatus',
    );
  const behavior = data(spec['behavior']);
  if (behavior !== undefined) annotations[BEHAVIOR] = encodeBehavior(behavior);
  if (conditions.length > 0) annotations[CONDITIONS] = encodeList(conditions, 'HorizontalPodAutoscalerCondition');

  const target = metrics.map((metric) => cpuUtilization(metric, 'target')).find((value) => value !== undefined);
  const current = currentMetrics
    .map((metric) => cpuUtilization(metric, 'current'))
    .findLast((value) => value !== undefined);
  return {
    ...v2,
    metadata: withAnnotations(v2, annotations),
    spec: defined({ ...pick(spec, SPEC_FIELDS), targetCPUUtilizationPercentage: target }),
    status: defined({ ...pick(status, STATUS_FIELDS), currentCPUUtilizationPercentage: current }),
  };
}

function toV2(v1: KubeObject): KubeObject {
  const spec = data(v1['spec']) ?? {},
    status = data(v1['status']) ?? {};
  const annotations = v1.metadata?.annotations ?? {};
  const outSpec = pick(spec, SPEC_FIELDS),
    outStatus = pick(status, STATUS_FIELDS);
  const target = spec['targetCPUUtilizationPercentage'],
    current = status['currentCPUUtilizationPercentage'];

  const metrics = decodeList(annotations[METRICS]).map((metric) => metricToV2(metric, 'target'));
  if (target !== undefined) metrics.push(cpuMetric(target));
  outSpec['metrics'] = metrics.length > 0 ? metrics : [cpuMetric(DEFAULT_CPU_UTILIZATION)];
  const behavior = decodeBehavior(annotations[BEHAVIOR]);
  if (behavior !== undefined) outSpec['behavior'] = behavior;

  if (annotations[CURRENT_METRICS] !== undefined)
    outStatus['currentMetrics'] = decodeList(annotations[CURRENT_METRICS]).map((metric) =>
      metricToV2(metric, 'current'),
    );
  else if (current !== undefined)
    outStatus['currentMetrics'] = [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } },
    ];
  if (annotations[CONDITIONS] !== undefined) outStatus['conditions'] = decodeList(annotations[CONDITIONS]);
  return {
    ...v1,
    metadata: withAnnotations(v1, withoutRoundTrip(annotations) ?? {}),
    spec: outSpec,
    status: outStatus,
  };
}

function cpuMetric(utilization: unknown): Data {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: utilization } },
  };
}

/** The average utilization if the metric is about CPU in these terms. */
function cpuUtilization(metric: Data, part: 'target' | 'current'): unknown {
  const resource = data(metric['resource']);
  if (metric['type'] !== 'Resource' || resource?.['name'] !== 'cpu') return undefined;
  return data(resource[part])?.['averageUtilization'];
}

function decodeList(text: string | undefined): Data[] {
  const value = parse(text);
  return Array.isArray(value) ? value.map((item) => data(item) ?? {}) : [];
}

/** Upstream marshals its internal type here: Go names as keys, everything written. */
function encodeBehavior(behavior: Data): string {
  const rules = (value: unknown): unknown => {
    const from = data(value);
    return from === undefined
      ? null
      : {
          StabilizationWindowSeconds: from['stabilizationWindowSeconds'] ?? null,
          SelectPolicy: from['selectPolicy'] ?? null,
          Policies: Array.isArray(from['policies'])
            ? list(from['policies']).map((policy) => ({
                Type: policy['type'] ?? '',
                Value: policy['value'] ?? 0,
                PeriodSeconds: policy['periodSeconds'] ?? 0,
              }))
            : null,
          Tolerance: from['tolerance'] ?? null,
        };
  };
  return JSON.stringify({ ScaleUp: rules(behavior['scaleUp']), ScaleDown: rules(behavior['scaleDown']) });
}

function decodeBehavior(text: string | undefined): Data | undefined {
  const rules = (value: unknown): Data | undefined => {
    const from = lowerKeys(value);
    return (
      from &&
      defined({
        stabilizationWindowSeconds: from['stabilizationwindowseconds'] ?? undefined,
        selectPolicy: from['selectpolicy'] ?? undefined,
        policies: Array.isArray(from['policies'])
          ? from['policies'].map((policy) => {
              const p = lowerKeys(policy) ?? {};
              return { type: p['type'] ?? '', value: p['value'] ?? 0, periodSeconds: p['periodseconds'] ?? 0 };
            })
          : undefined,
        tolerance: from['tolerance'] ?? undefined,
      })
    );
  };
  const behavior = lowerKeys(parse(text));
  if (behavior === undefined) return undefined;
  const out = defined({ scaleUp: rules(behavior['scaleup']), scaleDown: rules(behavior['scaledown']) });
  return Object.keys(out).length === 0 ? undefined : out;
}

/** Go reads keys of types without JSON names in any case. */
function lowerKeys(value: unknown): Data | undefined {
  const from = data(value);
  return from && Object.fromEntries(Object.entries(from).map(([key, member]) => [key.toLowerCase(), member]));
}

/** Annotations that do not parse are ignored, as upstream ignores them. */
function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseJSON(text);
  } catch {
    return undefined;
  }
}

/**
 * Takes away the annotations in which v1 writes what only v2 has: in v2 they say nothing, and nobody reads them
 * (pkg/apis/autoscaling/v2/conversion.go, 1.36).
 */
export function dropRoundTripAnnotations(v2: KubeObject): void {
  const { metadata } = v2;
  if (metadata?.annotations === undefined) return;
  if (ROUND_TRIP.some((name) => metadata.annotations?.[name] !== undefined))
    v2.metadata = withAnnotations(v2, withoutRoundTrip(metadata.annotations) ?? {});
}

function withoutRoundTrip(annotations: Record<string, string> | undefined): Record<string, string> | undefined {
  return annotations && Object.fromEntries(Object.entries(annotations).filter(([key]) => !ROUND_TRIP.includes(key)));
}

function withAnnotations(object: KubeObject, annotations: Record<string, string>): NonNullable<KubeObject['metadata']> {
  const metadata = { ...object.metadata };
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
  else delete metadata.annotations;
  return metadata;
}

function pick(from: Data, names: readonly string[]): Data {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
}

function list(value: unknown): Data[] {
  return Array.isArray(value) ? (value as Data[]) : [];
}

function eachItem(of: KubeObject, convert: (item: KubeObject) => KubeObject): KubeObject {
  return { ...of, items: list(of['items']).map((item) => convert(item)) };
}
