import { splitQuantity } from '../../quantity/split.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';
/*
 * autoscaling metrics in v2 form and in the form that autoscaling/v1 keeps in annotations
 * (pkg/apis/autoscaling/v1/conversion.go, Kubernetes 1.36). Every function returns a new object.
 */

type Data = Record<string, unknown>;
/** A JSON object, or undefined. */
type Maybe = Data | undefined;

/** Source names of MetricSpec and MetricStatus, in both versions. */
const SOURCES = ['object', 'pods', 'resource', 'containerResource', 'external'] as const;
type Source = (typeof SOURCES)[number];

/** Whether a spec or a status is converted: `target` or `current` holds the values. */
export type MetricPart = 'target' | 'current';

/** v2 MetricSpec (`target`) or MetricStatus (`current`) to v1. */
export function metricToV1(metric: Data, part: MetricPart): Data {
  return convertSources(metric, (source, value) => sourceToV1(source, value, part));
}

/** v1 MetricSpec (`target`) or MetricStatus (`current`) to v2. */
export function metricToV2(metric: Data, part: MetricPart): Data {
  return convertSources(metric, (source, value) => sourceToV2(source, value, part));
}

function convertSources(metric: Data, convert: (source: Source, value: Data) => Data): Data {
  const out: Data = { type: metric['type'] ?? '' };
  for (const source of SOURCES) {
    const value = metric[source];
    if (isPlainObject(value)) out[source] = convert(source, value);
  }
  return out;
}

function sourceToV1(source: Source, value: Data, part: MetricPart): Data {
  const values = data(value[part]) ?? {};
  const metric = data(value['metric']) ?? {};
  const plain = part === 'target' ? 'targetValue' : 'currentValue';
  const average = part === 'target' ? 'targetAverageValue' : 'currentAverageValue';
  const utilization = part === 'target' ? 'targetAverageUtilization' : 'currentAverageUtilization';
  switch (source) {
    case 'object':
      return defined({
        target: data(value['describedObject']) ?? {},
        metricName: metric['name'] ?? '',
        [plain]: values['value'] ?? '0',
        selector: metric['selector'],
        averageValue: values['averageValue'],
      });
    case 'pods':
      return defined({
        metricName: metric['name'] ?? '',
        [average]: values['averageValue'] ?? '0',
        selector: metric['selector'],
      });
    case 'resource':
    case 'containerResource':
      return defined({
        name: value['name'] ?? '',
        [utilization]: values['averageUtilization'],
        [average]: values['averageValue'] ?? (part === 'current' ? '0' : undefined),
        container: source === 'containerResource' ? (value['container'] ?? '') : undefined,
      });
    case 'external':
      return defined({
        metricName: metric['name'] ?? '',
        metricSelector: metric['selector'],
        [plain]: values['value'] ?? (part === 'current' ? '0' : undefined),
        [average]: values['averageValue'],
      });
    default:
      return source satisfies never;
  }
}

function sourceToV2(source: Source, value: Data, part: MetricPart): Data {
  const spec = part === 'target';
  const plain = value[spec ? 'targetValue' : 'currentValue'];
  const average = value[spec ? 'targetAverageValue' : 'currentAverageValue'];
  const utilization = value[spec ? 'targetAverageUtilization' : 'currentAverageUtilization'];
  const values = (type: string, members: Data): Data => defined(spec ? { type, ...members } : members);
  switch (source) {
    case 'object': {
      const own = value['averageValue'];
      // v1 cannot leave its value out: a zero beside an average means none.
      const kept = spec && own !== undefined && isZeroQuantity(plain) ? undefined : (plain ?? '0');
      return {
        describedObject: data(value['target']) ?? {},
        [part]: values(own === undefined ? 'Value' : 'AverageValue', { value: kept, averageValue: own }),
        metric: identifier(value['metricName'], value['selector']),
      };
    }
    case 'pods':
      return {
        metric: identifier(value['metricName'], value['selector']),
        [part]: values('AverageValue', { averageValue: average ?? '0' }),
      };
    case 'resource':
    case 'containerResource':
      return defined({
        name: value['name'] ?? '',
        [part]: values(utilization === undefined ? 'AverageValue' : 'Utilization', {
          averageValue: spec ? average : (average ?? '0'),
          averageUtilization: utilization,
        }),
        container: source === 'containerResource' ? (value['container'] ?? '') : undefined,
      });
    case 'external':
      return {
        metric: identifier(value['metricName'], value['metricSelector']),
        [part]: values(plain === undefined ? 'AverageValue' : 'Value', {
          value: spec ? plain : (plain ?? '0'),
          averageValue: average,
        }),
      };
    default:
      return source satisfies never;
  }
}

function identifier(name: unknown, selector: unknown): Data {
  return defined({ name: name ?? '', selector });
}

function isZeroQuantity(value: unknown): boolean {
  if (value === undefined) return true;
  const parts = splitQuantity(String(value as string | number));
  return parts?.integer === '0' && !/[1-9]/.test(parts.fraction);
}

/** The object without its undefined members. */
export function defined(object: Data): Data {
  for (const key of Object.keys(object)) if (object[key] === undefined) delete object[key];
  return object;
}

/** The value if it is a JSON object. */
export function data(value: unknown): Maybe {
  return isPlainObject(value) ? value : undefined;
}
