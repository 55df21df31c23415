import { isList, isMap, itemsOf, CelOpaque, sizeOf } from '../values/values.ts';
import { callsOfOne, authorizationCost, listCost, patternFactor, selectorCost, textFactor } from './constants.ts';

/** A call that was made: `overload` is the id of its overload if the types told it, `args` begin with the receiver. */
export interface MadeCall {
  readonly name: string;
  readonly overload: string;
  readonly args: readonly unknown[];
  /** Of the functions {@link costsByResult}. */
  readonly result: unknown;
}
type Cost = (args: readonly unknown[], result: unknown) => number;

const one: Cost = () => 1;
const scan =
  (factor: number): Cost =>
  ([text]) =>
    Math.ceil(sizeOf(text) * factor * textFactor);
const madeList = (factor: number, size: number): number => Math.floor(size * factor) + 1 + listCost;
const outputSize: Cost = (_args, result) => madeList(1, sizeOf(result));
const selfCompare = (list: unknown): number => {
  const size = sizeOf(list);
  const first = isList(list) && size > 0 ? list.at(0) : undefined;
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + textFactor : 2;
  return madeList(factor, size * size);
};
const setCost =
  (factor: number): Cost =>
  ([a, b]) =>
    1 + Math.floor(sizeOf(a) * sizeOf(b) * factor);
const shorter: Cost = ([a, b]) => Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * textFactor);
const together: Cost = ([a, b]) => Math.ceil((sizeOf(a) + sizeOf(b)) * textFactor);
const matching: Cost = ([text, pattern]) =>
  Math.ceil((1 + sizeOf(text)) * textFactor) * Math.ceil(sizeOf(pattern) * patternFactor);

/** What goes before everything else: lists and sets (cel-go ext/lists.go, ext/sets.go). */
const ofExtensions: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ['list(T).slice(int, int)', outputSize],
  ['lists.range(int)', outputSize],
  ['list(T).reverse()', outputSize],
  ['list(list(T)).flatten()', ([list]) => madeList(1, sizeOf(list))],
  ['list(dyn).flatten(int)', ([list, depth]) => madeList(Number(depth), sizeOf(list))],
  ['list(T).distinct()', ([list]) => selfCompare(list)],
  ['sets.contains(list(T), list(T))', setCost(1)],
  ['sets.intersects(list(T), list(T))', setCost(1)],
  ['sets.equivalent(list(T), list(T))', setCost(2)],
]);

/** Kubernetes' own, by function, whatever the overload (apiserver/cel/library cost.go CallCost, 1.36). */
const byFunction: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, Cost] => [
    name,
    ([value]) => traversal(value),
  ]),
  ...[
    'url',
    'lowerAscii',
    'upperAscii',
    'substring',
    'trim',
    'jsonpatch.escapeKey',
    'cidr',
    'isIP',
    'isCIDR',
    'quantity',
    'isQuantity',
    'semver',
    'isSemver',
  ].map((name): [string, Cost] => [name, scan(1)]),
  ['replace', scan(2)],
  ['split', scan(2)],
  ['join', (_args, result) => Math.ceil(sizeOf(result) * 2 * textFactor)],
  ['find', matching],
  ['findAll', matching],
  ['ip.isCanonical', scan(2)],
  ...callsOfOne.map((name): [string, Cost] => [name, one]),
  ['check', () => authorizationCost],
  ...['fieldSelector', 'labelSelector'].map((name): [string, Cost] => [
    name,
    ([, selector]) => selectorCost(sizeOf(selector)),
  ]),
]);

/** CEL's own, by overload (cel-go interpreter/runtimecost.go costCall, 0.26); all others cost 1. */
const byOverload: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ...[
    'string.startsWith(string)',
    'string.endsWith(string)',
    'bytes(string)',
    'string(bytes)',
    'strings.quote(string)',
    'string.format(list(dyn))',
  ].map((id): [string, Cost] => [id, scan(1)]),
  ['@in(A, list(A))', ([, list]) => sizeOf(list)],
  ...['_<_', '_<=_', '_>_', '_>=_'].flatMap((name) =>
    ['string', 'bytes'].map((type): [string, Cost] => [`${name}(${type}, ${type})`, shorter]),
  ),
  ['_==_(A, A)', shorter],
  ['_!=_(A, A)', shorter],
  ['_+_(string, string)', together],
  ['_+_(bytes, bytes)', together],
  ['string.matches(string)', matching],
  [
    'string.contains(string)',
    ([text, part]) => Math.ceil(sizeOf(text) * textFactor) * Math.ceil(sizeOf(part) * textFactor),
  ],
]);

/** Functions whose calls cost what comes of them; those of all others are told before they are made. */
export const costsByResult: ReadonlySet<string> = new Set(['join', 'lists.range', 'reverse', 'slice']);

/** What a call costs. */
export function callCost({ name, overload, args, result }: MadeCall): number {
  const extension = ofExtensions.get(overload);
  if (extension !== undefined) return extension(args, result);
  if (overload !== '' && name === 'sort') return selfCompare(args[0]);
  if (overload !== '' && name === '@sortByAssociatedKeys') return selfCompare(args[1]);
  switch (name) {
    case 'ip':
      return overload === 'net.CIDR.ip()' ? 1 : scan(1)(args, result);
    case 'containsIP':
      return (
        Math.ceil(2 * sizeOf(args[0]) * textFactor) +
        (overload === 'net.CIDR.containsIP(string)' ? Math.ceil(sizeOf(args[1]) * textFactor) : 0)
      );
    case 'containsCIDR': {
      const size = sizeOf(args[0]);
      return (
        Math.ceil(2 * size * textFactor) +
        Math.ceil(size * textFactor) +
        1 +
        (overload === 'net.CIDR.containsCIDR(string)' ? Math.ceil(sizeOf(args[1]) * textFactor) : 0)
      );
    }
    case 'validate':
      return validationCost(args);
    case '_==_':
      if (args[0] instanceof CelOpaque) return 1;
      break;
    default:
  }
  const ofFunction = byFunction.get(name);
  return ofFunction === undefined ? (byOverload.get(overload)?.(args, result) ?? 1) : ofFunction(args, result);
}

/** As of a pattern of the format's length. */
function validationCost([format, text]: readonly unknown[]): number {
  const patternSize = format instanceof CelOpaque && 'patternSize' in format ? Number(format.patternSize) : undefined;
  return patternSize === undefined
    ? 1
    : Math.ceil((1 + sizeOf(text)) * textFactor) * Math.ceil(patternSize * patternFactor);
}

/** Of going through a value with all that is in it. */
function traversal(value: unknown): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * textFactor);
  if (value instanceof Uint8Array) return Math.floor(value.length * textFactor);
  if (isList(value)) return itemsOf(value).reduce<number>((total, item) => total + traversal(item), 0);
  if (!isMap(value)) return 1;
  let total = 0;
  for (const key of value.keys()) total += traversal(key) + traversal(value.get(key));
  return total;
}
