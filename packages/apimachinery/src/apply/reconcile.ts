import type { Atom, ListAtom, MapAtom } from './atom.ts';
import type { FieldSet } from './field-set.ts';
import { FieldNode, LEAF } from './field-set.ts';
import type { PathElement } from './path-element.ts';

/**
 * A set written under an older schema, as the present one has it: fields that became atomic are owned as a whole.
 * The same set when nothing changed. (Fields that became granular are taken as they are.)
 */
export function reconcileFieldSet(atom: Atom, set: FieldSet): FieldSet {
  if (atom.map === undefined || settled.get(set) === atom) return set;
  const reconciled = reconcileMap(atom.map, set);
  if (reconciled === set) settled.set(set, atom);
  return reconciled;
}

/** Sets that are as a schema has them already: most come again, as they are shared between objects. */
const settled = new WeakMap<FieldSet, Atom>();

function reconcileNode(atom: Atom, node: FieldNode): FieldNode {
  const { children } = node;
  // Of an untyped atom the reference looks at the map, which it leaves alone.
  if (atom.map !== undefined) {
    if (children === undefined || atom.map.deduced) return node;
    if (atom.map.atomic) return LEAF;
    const reconciled = reconcileMap(atom.map, children);
    return reconciled === children ? node : new FieldNode(node.member, reconciled);
  }
  if (atom.scalar !== undefined || atom.list === undefined) return node;
  if (atom.list.atomic) return children === undefined ? node : LEAF;
  if (children === undefined) return node;
  const reconciled = reconcileList(atom.list, children);
  return reconciled === children ? node : new FieldNode(node.member, reconciled);
}

function reconcileMap(map: MapAtom, set: FieldSet): FieldSet {
  if (map.deduced) return set;
  let out: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set) {
    if (node.children === undefined || !element.startsWith('f:')) continue;
    const atom = map.fields.get(element.slice(2))?.atom ?? map.element;
    if (atom === undefined) continue;
    const reconciled = reconcileNode(atom, node);
    if (reconciled !== node) (out ??= new Map(set)).set(element, reconciled);
  }
  return out ?? set;
}

function reconcileList(list: ListAtom, set: FieldSet): FieldSet {
  let out: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set) {
    if (node.children === undefined) continue;
    const reconciled = reconcileNode(list.element, node);
    if (reconciled !== node) (out ??= new Map(set)).set(element, reconciled);
  }
  return out ?? set;
}
