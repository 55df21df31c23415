import { elementText, sortElements } from './path-element.ts';
import type { PathElement } from './path-element.ts';

/**
 * A set of field paths as a tree: the path `f:a`, `f:b` is in the set when the node of `f:b` below `f:a` is a member.
 *
 * ```
 *   {a.b, a.b.c, d}      f:a ── f:b(member) ── f:c(member)
 *                        f:d(member)
 * ```
 * Immutable and shared between sets; there is no node without a member in or below it.
 */
export type FieldSet = ReadonlyMap<PathElement, FieldNode>;

/** One field in a {@link FieldSet}. */
export class FieldNode {
  /** Whether the path up to here is in the set itself. */
  readonly member: boolean;
  readonly children: FieldSet | undefined;
  /** JSON of the wire form, once it is known: sets share most of their nodes with the sets they come from. */
  text: string | undefined;

  constructor(member: boolean, children: FieldSet | undefined, text?: string) {
    this.member = member;
    this.children = children;
    this.text = text;
  }
}

/** A path, from the root. */
export type FieldPathElements = readonly PathElement[];

/** The node of a field that is in the set without anything below it. */
export const LEAF: FieldNode = new FieldNode(true, undefined, '{}');

export const emptySet: FieldSet = new Map();

/** A set of these paths; the empty path, the whole object, is never in a set. */
export function fieldSetOf(...paths: readonly FieldPathElements[]): FieldSet {
  let set = emptySet;
  for (const path of paths) {
    if (path.length === 0) continue;
    let node: FieldNode = LEAF;
    for (let i = path.length - 1; i > 0; i--) node = new FieldNode(false, new Map([[path[i] ?? '', node]]));
    set = union(set, new Map([[path[0] ?? '', node]]));
  }
  return set;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0 || a === b) return b;
  if (b.size === 0) return a;
  let out: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of b) {
    const mine = a.get(element);
    const merged = mine === undefined ? node : unionNodes(mine, node);
    if (merged !== mine) (out ??= new Map(a)).set(element, merged);
  }
  return out ?? a;
}

/** The paths of both nodes. */
export function unionNodes(a: FieldNode, b: FieldNode): FieldNode {
  if (a === b) return a;
  const children =
    a.children === undefined ? b.children : b.children === undefined ? a.children : union(a.children, b.children);
  if (children === undefined) return LEAF;
  const member = a.member || b.member;
  return children === a.children && member === a.member ? a : new FieldNode(member, children);
}

/** Paths in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  const out = new Map<PathElement, FieldNode>();
  for (const [element, node] of small) {
    const other = large.get(element);
    if (other === undefined) continue;
    const children =
      node.children === undefined || other.children === undefined
        ? undefined
        : nonEmpty(intersection(node.children, other.children));
    put(out, element, node.member && other.member, children);
  }
  return out;
}

/** Paths in `a` that are not in `b`; what is below a path of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0 || b.size === 0) return a;
  let out: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of b) {
    const mine = a.get(element);
    if (mine === undefined) continue;
    const children =
      mine.children === undefined || node.children === undefined
        ? mine.children
        : nonEmpty(difference(mine.children, node.children));
    const member = mine.member && !node.member;
    if (member === mine.member && children === mine.children) continue;
    out ??= new Map(a);
    out.delete(element);
    put(out, element, member, children);
  }
  return out ?? a;
}

/** Whether all paths of `a` are in `b`: `difference(a, b)` is empty, without making it. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  for (const [element, node] of a) {
    const other = b.get(element);
    if (other === undefined || (node.member && !other.member)) return false;
    if (node !== other && node.children !== undefined && !isSubset(node.children, other.children ?? emptySet))
      return false;
  }
  return true;
}

/** Paths in `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0 || b.size === 0) return a;
  let out: Map<PathElement, FieldNode> | undefined;
  for (const [element, other] of b) {
    const node = a.get(element);
    if (node === undefined) continue;
    const children =
      node.children === undefined || other.children === undefined || other.member
        ? node.children
        : nonEmpty(recursiveDifference(node.children, other.children));
    if (!other.member && children === node.children) continue;
    out ??= new Map(a);
    out.delete(element);
    if (!other.member) put(out, element, node.member, children);
  }
  return out ?? a;
}

function nonEmpty(set: FieldSet): FieldSet | undefined {
  return set.size === 0 ? undefined : set;
}

/** Adds a node unless there is nothing in it. */
export function put(
  out: Map<PathElement, FieldNode>,
  element: PathElement,
  member: boolean,
  children: FieldSet | undefined,
): void {
  if (children !== undefined) out.set(element, new FieldNode(member, children));
  else if (member) out.set(element, LEAF);
}

export function hasPath(set: FieldSet, path: FieldPathElements): boolean {
  let node: FieldNode | undefined;
  let at: FieldSet | undefined = set;
  for (const element of path) {
    node = at?.get(element);
    at = node?.children;
  }
  return node?.member ?? false;
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [element, node] of a) {
    const other = b.get(element);
    if (other === undefined || other.member !== node.member) return false;
    if (other !== node && !equalSets(node.children ?? emptySet, other.children ?? emptySet)) return false;
  }
  return true;
}

/** Paths of a set in the order of the reference: at each level first the members, then what is below, each sorted. */
export function* pathsOf(set: FieldSet, prefix: FieldPathElements = []): Generator<FieldPathElements> {
  const elements = sortElements([...set.keys()]);
  for (const element of elements) if (set.get(element)?.member === true) yield [...prefix, element];
  for (const element of elements) {
    const children = set.get(element)?.children;
    if (children !== undefined) yield* pathsOf(children, [...prefix, element]);
  }
}

/** `.spec.containers[name="a"].image`. */
export function pathText(path: FieldPathElements): string {
  return path.map(elementText).join('');
}
