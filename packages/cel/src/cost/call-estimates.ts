import type { Expr } from '../syntax/expr.ts';
import { isSameType } from '../types/types.ts';
import type { CelType } from '../types/types.ts';
import { callsOfOne, authorizationCost, listCost, patternFactor, selectorCost, textFactor } from './constants.ts';
import { exactly, maxCost, product, scaled, sum } from './ranges.ts';
import type { Range } from './ranges.ts';

/** A part of an expression as estimates see it. `path` leads to it from a variable; absent where none does. */
export interface EstimatedNode {
  readonly type: CelType;
  readonly path: readonly string[] | undefined;
  readonly expr: Expr | undefined;
  /** How large it can be as far as the expression tells. */
  readonly computedSize: Range | undefined;
}

/** A call as estimates see it. */
export interface EstimatedCall {
  readonly name: string;
  readonly overload: string;
  readonly target: EstimatedNode | undefined;
  readonly args: readonly EstimatedNode[];
  /** How large a part can be, also by what a schema says. */
  readonly sizeOf: (node: EstimatedNode) => Range;
}

/** What a call may cost without its arguments, and how large its result may be. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range | undefined;
}
type Estimate = (call: EstimatedCall) => CallEstimate | undefined;

const one: Estimate = () => ({ cost: exactly(1) });
/** Of going through the receiver, or the first argument of a function. */
const scan =
  (factor: number, sized = false): Estimate =>
  ({ target, args, sizeOf }) => {
    const subject = target ?? args[0];
    if (subject === undefined) return undefined;
    const size = sizeOf(subject);
    return { cost: scaled(size, factor * textFactor), ...(sized ? { size } : {}) };
  };
const newList = (factor: number, size: Range): CallEstimate => ({
  cost: sum(scaled(size, factor), exactly(1), exactly(listCost)),
  size,
});

function intOf(node: EstimatedNode | undefined, fallback: number): number {
  const value = node?.expr?.kind === 'const' ? node.expr.value : undefined;
  return typeof value === 'bigint' ? Math.max(Number(value), 0) : fallback;
}

const squared = (call: EstimatedCall, node: EstimatedNode | undefined, factor: number): CallEstimate | undefined => {
  if (node === undefined) return undefined;
  const size = call.sizeOf(node);
  return newList(factor, product(size, size));
};
const setCost =
  (factor: number): Estimate =>
  ({ args: [a, b], sizeOf }) =>
    a === undefined || b === undefined
      ? undefined
      : { cost: sum(scaled(product(sizeOf(a), sizeOf(b)), factor), exactly(1)) };

/** Lists and sets (cel-go ext/lists.go, ext/sets.go). */
const ofExtensions: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  [
    'list(T).slice(int, int)',
    ({ target, args, sizeOf }) => {
      if (target === undefined) return undefined;
      const length = intOf(args[1], sizeOf(target).max) - intOf(args[0], 0);
      // A negative length wraps around.
      return newList(1, exactly(length < 0 ? maxCost : length));
    },
  ],
  ['lists.range(int)', ({ args }) => newList(1, exactly(intOf(args[0], maxCost)))],
  ['list(T).reverse()', ({ target, sizeOf }) => (target === undefined ? undefined : newList(1, sizeOf(target)))],
  ['list(list(T)).flatten()', ({ target, sizeOf }) => (target === undefined ? undefined : newList(1, sizeOf(target)))],
  [
    'list(dyn).flatten(int)',
    ({ target, args, sizeOf }) => (target === undefined ? undefined : newList(intOf(args[0], maxCost), sizeOf(target))),
  ],
  ['list(T).distinct()', (call) => squared(call, call.target, 2)],
  ['sets.contains(list(T), list(T))', setCost(1)],
  ['sets.intersects(list(T), list(T))', setCost(1)],
  ['sets.equivalent(list(T), list(T))', setCost(2)],
]);

const aggregate: Estimate = ({ target, sizeOf }) => {
  if (target === undefined) return undefined;
  const item = itemOf(target);
  if (item === undefined) return { cost: scaled(sizeOf(target), textFactor) };
  const isText = item.type.name === 'string' || item.type.name === 'bytes';
  return { cost: product(sizeOf(target), sum(exactly(1), isText ? scaled(sizeOf(item), textFactor) : exactly(0))) };
};

function itemOf({ type, path }: EstimatedNode): EstimatedNode | undefined {
  const [item] = type.params;
  return item === undefined
    ? undefined
    : {
        type: item,
        path: path === undefined ? undefined : [...path, '@items'],
        expr: undefined,
        computedSize: undefined,
      };
}

const replace: Estimate = ({ target, args: [from, to], sizeOf }) => {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const size = sizeOf(target),
    old = sizeOf(from),
    fresh = sizeOf(to);
  // The longest result replaces the shortest parts, the shortest result the longest parts.
  const most =
    old.min === 0
      ? { count: Math.min(size.max + 1, maxCost), kept: size.max }
      : fresh.max <= old.min
        ? { count: 0, kept: size.max }
        : { count: Math.ceil(size.max / old.min), kept: 0 };
  const least =
    old.max === 0
      ? { count: size.min + 1, kept: size.min }
      : old.max <= fresh.min
        ? { count: 0, kept: size.min }
        : { count: Math.ceil(size.min / old.max), kept: 0 };
  return {
    cost: scaled(size, 2 * textFactor),
    size: sum(product({ min: least.count, max: most.count }, fresh), { min: least.kept, max: most.kept }),
  };
};

const split: Estimate = ({ target, args, sizeOf }) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const limit =
    args[1]?.expr?.kind === 'const' && typeof args[1].expr.value === 'bigint'
      ? Number(BigInt.asUintN(64, args[1].expr.value))
      : size.max;
  return { cost: scaled(size, 2 * textFactor), size: { min: 0, max: limit } };
};

const join: Estimate = ({ target, args: [separator], sizeOf }) => {
  if (target === undefined) return undefined;
  const count = sizeOf(target),
    item = itemOf(target);
  const text = item === undefined ? exactly(0) : product(count, sizeOf(item));
  const size =
    separator === undefined
      ? text
      : sum(text, product(sizeOf(separator), { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) }));
  return { cost: scaled(size, textFactor), size };
};

const find: Estimate = ({ target, args: [pattern], sizeOf }) => {
  if (target === undefined || pattern === undefined) return undefined;
  const size = sizeOf(target);
  return {
    cost: product(scaled(sum(size, exactly(1)), textFactor), scaled(sizeOf(pattern), patternFactor)),
    size: { min: 0, max: size.max },
  };
};

const addressSize: Range = { min: 4, max: 16 };
const containsIP: Estimate = ({ args: [other], overload, sizeOf }) => {
  if (other === undefined) return undefined;
  const compared = scaled(sum(addressSize, addressSize), textFactor);
  return {
    cost: overload === 'net.CIDR.containsIP(string)' ? sum(compared, scaled(sizeOf(other), textFactor)) : compared,
  };
};
const containsCIDR: Estimate = ({ args: [other], overload, sizeOf }) => {
  if (other === undefined) return undefined;
  const compared = sum(scaled(sum(addressSize, addressSize), textFactor), scaled(addressSize, textFactor), exactly(1));
  return {
    cost: overload === 'net.CIDR.containsCIDR(string)' ? sum(compared, scaled(sizeOf(other), textFactor)) : compared,
  };
};

const maxFormatSize = 64,
  maxFormatPattern = 128;
const constantTimeEquality = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);
const equality: Estimate = ({ args: [a, b] }) => {
  if (a === undefined || b === undefined || !isSameType(a.type, b.type)) return undefined;
  const { name } = a.type;
  if (constantTimeEquality.has(name)) return { cost: exactly(1) };
  if (name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1, max: maxFormatSize }, textFactor) };
  return name === 'kubernetes.URL'
    ? { cost: scaled({ min: 1, max: b.computedSize?.max ?? 1 }, textFactor) }
    : undefined;
};

const selector: Estimate = ({ args: [text], sizeOf }) => {
  if (text === undefined) return undefined;
  const { min, max } = sizeOf(text);
  return { cost: { min: selectorCost(min), max: Math.min(selectorCost(max), maxCost) } };
};

/** Kubernetes' own, by function (apiserver/cel/library cost.go EstimateCallCost, 1.36). */
const byFunction: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, Estimate] => [name, aggregate]),
  ...['url', 'lowerAscii', 'upperAscii', 'substring', 'trim', 'jsonpatch.escapeKey'].map((name): [string, Estimate] => [
    name,
    scan(1, true),
  ]),
  ...['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map((name): [string, Estimate] => [
    name,
    scan(1),
  ]),
  ['replace', replace],
  ['split', split],
  ['join', join],
  ['find', find],
  ['findAll', find],
  ['ip.isCanonical', scan(2)],
  ['ip', (call) => (call.overload === 'net.CIDR.ip()' ? one(call) : scan(1)(call))],
  ['containsIP', containsIP],
  ['containsCIDR', containsCIDR],
  [
    'validate',
    ({ args: [text], sizeOf }) =>
      text === undefined
        ? undefined
        : { cost: scaled(scaled(sizeOf(text), textFactor), maxFormatPattern * patternFactor) },
  ],
  ...callsOfOne.map((name): [string, Estimate] => [name, one]),
  ['check', () => ({ cost: exactly(authorizationCost) })],
  ['fieldSelector', selector],
  ['labelSelector', selector],
  ['_==_', equality],
]);

/** The estimate of a function that is not CEL's own; undefined for those that are. */
export function estimateLibraryCall(call: EstimatedCall): CallEstimate | undefined {
  const extension = ofExtensions.get(call.overload);
  if (extension !== undefined) return extension(call);
  if (call.name === 'sort' || call.name === '@sortByAssociatedKeys') {
    const isText = /list\((?:string|bytes)\)(?:\.sort\(\)|\))$/.test(call.overload);
    return squared(call, call.name === 'sort' ? call.target : call.args[0], isText ? 2 + textFactor : 2);
  }
  return byFunction.get(call.name)?.(call);
}
