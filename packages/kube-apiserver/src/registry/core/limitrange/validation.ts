import {
  duplicate,
  FieldPath,
  forbiddenValue,
  invalidValue,
  isQualifiedName,
  Quantity,
  required,
  textByPointer,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { LimitRange, LimitRangeItem } from '@kubechain/apimachinery/types/core/v1';
import { mayOvercommit, validateContainerResourceName, validateResourceName } from '../resource-name.ts';

const limitsPath = FieldPath.of('spec', 'limits');
const knownTypes: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);
const one = new Quantity(1n);
/** Amounts below this are compared in thousandths (MaxMilliValue). */
const maxInMillis = 9_223_372_036_854_775n;

type Bound = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';

/**
 * Rules of limit ranges, on every write (ValidateLimitRange of pkg/apis/core/validation, 1.36). Resources are looked at
 * by name.
 */
export function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const seen = new Set<string>();
  return (spec?.limits ?? []).flatMap((item, i) => {
    const path = limitsPath.index(i);
    const type = item.type || '';
    const errors = validateType(type, path.child('type'));
    if (seen.has(type)) errors.push(duplicate(path.child('type'), textByPointer(type)));
    seen.add(type);
    return [
      ...errors,
      ...validateNames(item, path),
      ...[...namesOf(item)].sort().flatMap((name) => validateBounds(item, name, path)),
    ];
  });
}

function validateType(type: string, path: FieldPath): FieldError[] {
  const errors = isQualifiedName(type).map((message) => invalidValue(path, textByPointer(type), message));
  return errors.length > 0 || type.includes('/') || knownTypes.has(type)
    ? errors
    : [invalidValue(path, textByPointer(type), 'must be a standard limit type or fully qualified')];
}

/** Pods as a whole have no defaults: their containers do. */
const boundsOf = (item: LimitRangeItem): readonly Bound[] =>
  item.type === 'Pod'
    ? ['max', 'min', 'maxLimitRequestRatio']
    : ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];

function namesOf(item: LimitRangeItem): Set<string> {
  return new Set(boundsOf(item).flatMap((bound) => Object.keys(item[bound] ?? {})));
}

function validateNames(item: LimitRangeItem, path: FieldPath): FieldError[] {
  const check = item.type === 'Pod' || item.type === 'Container' ? validateContainerResourceName : validateResourceName;
  const names = (...bounds: readonly Bound[]): FieldError[] =>
    bounds.flatMap((bound) =>
      Object.keys(item[bound] ?? {})
        .sort()
        .flatMap((name) => check(name, path.child(bound).key(name))),
    );
  const forbidden = (bound: Bound): FieldError[] =>
    Object.keys(item[bound] ?? {}).length === 0
      ? []
      : [forbiddenValue(path.child(bound), "may not be specified when `type` is 'Pod'")];
  const unbounded =
    item.type === 'PersistentVolumeClaim' && item.min?.['storage'] === undefined && item.max?.['storage'] === undefined;
  return [
    ...names('max', 'min'),
    ...(item.type === 'Pod'
      ? [...forbidden('default'), ...forbidden('defaultRequest')]
      : names('default', 'defaultRequest')),
    ...(unbounded
      ? [
          required(
            path.child('limits'),
            'either minimum or maximum storage value is required, but neither was provided',
          ),
        ]
      : []),
    ...names('maxLimitRequestRatio'),
  ];
}

/** What is said of one resource must fit together: least ≤ requested by default ≤ given by default ≤ most. */
function validateBounds(item: LimitRangeItem, name: string, path: FieldPath): FieldError[] {
  const read = (bound: Bound): Quantity | undefined => {
    const text = boundsOf(item).includes(bound) ? item[bound]?.[name] : undefined;
    return text === undefined ? undefined : Quantity.parse(text);
  };
  const [min, max, limit, request, ratio] = [
    read('min'),
    read('max'),
    read('default'),
    read('defaultRequest'),
    read('maxLimitRequestRatio'),
  ];
  const wrong = (bound: Bound, value: Quantity, message: string): FieldError =>
    invalidValue(path.child(bound).key(name), value.toString(), message);
  const unequal = !mayOvercommit(name) && limit !== undefined && request !== undefined && !limit.equals(request);
  return [
    ...ordered(min, max, (low, high) =>
      wrong('min', low, `min value ${low.toString()} is greater than max value ${high.toString()}`),
    ),
    ...ordered(min, request, (low, high) =>
      wrong(
        'defaultRequest',
        high,
        `min value ${low.toString()} is greater than default request value ${high.toString()}`,
      ),
    ),
    ...ordered(request, max, (low, high) =>
      wrong(
        'defaultRequest',
        low,
        `default request value ${low.toString()} is greater than max value ${high.toString()}`,
      ),
    ),
    ...ordered(request, limit, (low, high) =>
      wrong(
        'defaultRequest',
        low,
        `default request value ${low.toString()} is greater than default limit value ${high.toString()}`,
      ),
    ),
    ...ordered(min, limit, (low, high) =>
      wrong('default', low, `min value ${low.toString()} is greater than default value ${high.toString()}`),
    ),
    ...ordered(limit, max, (low, high) =>
      wrong('default', high, `default value ${low.toString()} is greater than max value ${high.toString()}`),
    ),
    ...ordered(one, ratio, (_low, high) =>
      wrong('maxLimitRequestRatio', high, `ratio ${high.toString()} is less than 1`),
    ),
    ...(ratio === undefined || min === undefined || max === undefined
      ? []
      : tooWide(ratio, min, max).map((message) => wrong('maxLimitRequestRatio', ratio, message))),
    ...(unequal
      ? [
          wrong(
            'defaultRequest',
            request,
            `default value ${limit.toString()} must equal to defaultRequest value ${request.toString()} in ${name}`,
          ),
        ]
      : []),
  ];
}

/** The error where both are there and the one that must not be greater is. */
function ordered(
  low: Quantity | undefined,
  high: Quantity | undefined,
  error: (low: Quantity, high: Quantity) => FieldError,
): FieldError[] {
  return low !== undefined && high !== undefined && low.compare(high) > 0 ? [error(low, high)] : [];
}

/** A ratio that not even the most to the least reaches. */
function tooWide(ratio: Quantity, min: Quantity, max: Quantity): string[] {
  const inMillis = [ratio, min, max].every((quantity) => quantity.wholeValue() < maxInMillis);
  const read = (quantity: Quantity): number => Number(inMillis ? quantity.milliValue() : quantity.wholeValue());
  const possible = read(max) / read(min);
  const asked = inMillis ? read(ratio) / 1000 : read(ratio);
  return asked > possible ? [`ratio ${ratio.toString()} is greater than max/min = ${possible.toFixed(6)}`] : [];
}
