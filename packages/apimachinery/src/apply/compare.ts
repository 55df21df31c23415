import type { JSONValue } from '../object/object.ts';
import { equalJSON, getKey, isJSONObject } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import type { Atom, FieldAtom, ListAtom, MapAtom } from './atom.ts';
import { formOf } from './atom.ts';
import { equalLists, equalMaps } from './equal-values.ts';
import type { FieldSet } from './field-set.ts';
import { FieldNode, LEAF, emptySet, put } from './field-set.ts';
import { isAligned, itemElement } from './list-items.ts';
import type { PathElement } from './path-element.ts';
import { TypedError } from './typed-error.ts';

/** Fields by what a change did to them; a field is in one of the sets only. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export const noChanges: Comparison = { added: emptySet, modified: emptySet, removed: emptySet };

/**
 * What changed from `before` to `after`.
 *
 * A field without omitempty in Go is there with its zero value even when the object does not have it: the reference
 * compares Go structs, and so has such fields in the sets.
 *
 * `as`: what is owned as a whole is compared as Go structs too, or as the values that a merge of configurations makes;
 * what is new of these has no fields that nobody gave.
 *
 * @throws TypedError for lists whose items cannot be told apart
 */
export function compareTyped(
  atom: Atom,
  before: JSONValue,
  after: JSONValue,
  as: 'structs' | 'values' = 'structs',
): Comparison {
  const change = (as === 'structs' ? structs : values).compare(atom, before, after);
  if (change === undefined) return noChanges;
  return {
    added: change.added?.children ?? emptySet,
    modified: change.modified?.children ?? emptySet,
    removed: change.removed?.children ?? emptySet,
  };
}

/** Nodes of one path in the three sets. */
interface Change {
  added: FieldNode | undefined;
  modified: FieldNode | undefined;
  removed: FieldNode | undefined;
}

const modifiedLeaf: Change = { added: undefined, modified: LEAF, removed: undefined };

/** The node of a value that is wholly new, or wholly gone: it, and everything in it; of a struct also its zero fields. */
function whole(atom: Atom, value: JSONValue, isStruct: boolean): FieldNode {
  switch (formOf(atom, value)) {
    case 'map':
      return wholeMap(atom.map as MapAtom, value, isStruct);
    case 'list':
      return wholeList(atom.list as ListAtom, value, isStruct);
    default:
      return LEAF;
  }
}

function wholeMap(map: MapAtom, value: JSONValue, isStruct: boolean): FieldNode {
  if (map.atomic || !isJSONObject(value)) return LEAF;
  const children = new Map<PathElement, FieldNode>();
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const field = map.fields.get(key);
    if (field !== undefined) children.set(field.element, whole(field.atom, item, isStruct));
    else if (map.element !== undefined) children.set(`f:${key}`, whole(map.element, item, isStruct));
  }
  if (isStruct)
    for (const field of map.zeroFields) if (!children.has(field.element)) children.set(field.element, zeroNode(field));
  return children.size === 0 ? LEAF : new FieldNode(true, children);
}

function zeroNode(field: FieldAtom): FieldNode {
  return (field.zeroNode ??= whole(field.atom, field.zero as JSONValue, true));
}

function wholeList(list: ListAtom, value: JSONValue, isStruct: boolean): FieldNode {
  if (list.atomic || !Array.isArray(value) || value.length === 0) return LEAF;
  const children = new Map<PathElement, FieldNode>();
  value.forEach((item, i) => {
    const element = elementAt(list, item, i);
    // An item that occurs twice is in the set without what is in it.
    children.set(element, children.has(element) ? LEAF : whole(list.element, item, isStruct));
  });
  return new FieldNode(true, children);
}

function elementAt(list: ListAtom, item: JSONValue, index: number): PathElement {
  const { element, error } = itemElement(list, item);
  if (error !== undefined) throw new TypedError([{ path: '', message: `element ${index}: ${error}` }]);
  return element;
}

function combine(a: Change | undefined, b: Change | undefined): Change | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { added: join(a.added, b.added), modified: join(a.modified, b.modified), removed: join(a.removed, b.removed) };
}

function join(a: FieldNode | undefined, b: FieldNode | undefined): FieldNode | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return new FieldNode(a.member || b.member, a.children ?? b.children);
}

/** A list that is compared, and where its changes go. */
interface ListComparison {
  readonly list: ListAtom;
  readonly children: Children;
}

/** Collects the changes of the children of one object or list. */
class Children {
  #added: Map<PathElement, FieldNode> | undefined;
  #modified: Map<PathElement, FieldNode> | undefined;
  #removed: Map<PathElement, FieldNode> | undefined;

  add(element: PathElement, node: FieldNode): void {
    (this.#added ??= new Map()).set(element, node);
  }
  modify(element: PathElement): void {
    (this.#modified ??= new Map()).set(element, LEAF);
  }
  remove(element: PathElement, node: FieldNode): void {
    (this.#removed ??= new Map()).set(element, node);
  }

  change(element: PathElement, change: Change | undefined): void {
    if (change === undefined) return;
    if (change.added !== undefined) this.add(element, change.added);
    if (change.modified !== undefined)
      put((this.#modified ??= new Map()), element, change.modified.member, change.modified.children);
    if (change.removed !== undefined) this.remove(element, change.removed);
  }

  result(): Change | undefined {
    if (this.#added === undefined && this.#modified === undefined && this.#removed === undefined) return undefined;
    return { added: inner(this.#added), modified: inner(this.#modified), removed: inner(this.#removed) };
  }
}

function inner(children: FieldSet | undefined): FieldNode | undefined {
  return children === undefined ? undefined : new FieldNode(false, children);
}

function leaf(before: JSONValue, after: JSONValue): Change | undefined {
  return equalJSON(before, after) ? undefined : modifiedLeaf;
}

function own(object: JSONObject, key: string): JSONValue | undefined {
  const value = object[key];
  // What an object inherits are functions, and its prototype.
  return typeof value === 'function' || key === '__proto__' ? getKey(object, key) : value;
}

function isEmptyObject(value: JSONObject | undefined): boolean {
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

/** Items by their element, in order; more than one where there are duplicates. */
function group(list: ListAtom, items: readonly JSONValue[]): Map<PathElement, JSONValue[]> {
  const groups = new Map<PathElement, JSONValue[]>();
  items.forEach((item, i) => {
    const element = elementAt(list, item, i);
    const same = groups.get(element);
    if (same === undefined) groups.set(element, [item]);
    else same.push(item);
  });
  return groups;
}

/** Compares values. Holds nothing of them, so that one serves all. */
class Comparer {
  /** What is new is a Go struct, and what is owned as a whole is compared as one. */
  readonly #asStructs: boolean;

  constructor(asStructs: boolean) {
    this.#asStructs = asStructs;
  }

  compare(atom: Atom, before: JSONValue, after: JSONValue): Change | undefined {
    if (before === after) return undefined;
    const afterForm = formOf(atom, after);
    const beforeForm = formOf(atom, before);
    const change = this.#compareAs(afterForm, atom, before, after);
    // An untyped value that changed its form: what it had as the old form is gone as well.
    return beforeForm === afterForm ? change : combine(this.#compareAs(beforeForm, atom, before, after), change);
  }

  #compareAs(form: 'map' | 'scalar' | 'list', atom: Atom, before: JSONValue, after: JSONValue): Change | undefined {
    switch (form) {
      case 'map':
        return this.#compareMaps(atom.map as MapAtom, before, after);
      case 'list':
        return this.#compareLists(atom.list as ListAtom, before, after);
      case 'scalar':
        return equalJSON(before, after) ? undefined : modifiedLeaf;
      default:
        return form satisfies never;
    }
  }

  #compareMaps(map: MapAtom, before: JSONValue, after: JSONValue): Change | undefined {
    if (map.atomic)
      return (this.#asStructs ? equalMaps(map, before, after) : equalJSON(before, after)) ? undefined : modifiedLeaf;
    const old = isJSONObject(before) ? before : undefined;
    const now = isJSONObject(after) ? after : undefined;
    if (map.zeroFields.length === 0 && isEmptyObject(old) && isEmptyObject(now)) return leaf(before, after);
    const children = new Children();
    if (old !== undefined) {
      for (const key in old) {
        const oldValue = old[key];
        const newValue = now === undefined ? undefined : own(now, key);
        // By far the most fields are scalars that stay.
        if (oldValue === undefined || oldValue === newValue) continue;
        const field = map.fields.get(key);
        const atom = field?.atom ?? map.element;
        if (atom === undefined) continue;
        const element = field?.element ?? `f:${key}`;
        // A null of a custom object is a value.
        const newOrZero =
          newValue !== undefined ? newValue : now === undefined ? undefined : (field?.zero as JSONValue | undefined);
        if (newOrZero === undefined) children.remove(element, whole(atom, oldValue, true));
        else children.change(element, this.compare(atom, oldValue, newOrZero));
      }
      if (now === undefined)
        for (const field of map.zeroFields)
          if (own(old, field.name) === undefined) children.remove(field.element, zeroNode(field));
    }
    if (now !== undefined) {
      for (const key in now) {
        const newValue = now[key];
        if (newValue === undefined || (old !== undefined && own(old, key) !== undefined)) continue;
        const field = map.fields.get(key);
        const atom = field?.atom ?? map.element;
        if (atom === undefined) continue;
        const element = field?.element ?? `f:${key}`;
        if (old !== undefined && field?.zero !== undefined)
          children.change(element, this.compare(atom, field.zero, newValue));
        else children.add(element, whole(atom, newValue, this.#asStructs));
      }
      if (old === undefined && this.#asStructs)
        for (const field of map.zeroFields)
          if (own(now, field.name) === undefined) children.add(field.element, zeroNode(field));
    }
    return children.result();
  }

  #compareLists(list: ListAtom, before: JSONValue, after: JSONValue): Change | undefined {
    const old = Array.isArray(before) ? before : [];
    const now = Array.isArray(after) ? after : [];
    if (list.atomic || (old.length === 0 && now.length === 0))
      return (this.#asStructs ? equalLists(list, before, after) : equalJSON(before, after)) ? undefined : modifiedLeaf;
    if (isAligned(list, old, now)) return this.#compareAligned(list, old, now);
    const oldItems = group(list, old);
    const newItems = group(list, now);
    const children = new Children();
    const comparison = { list, children };
    for (const [element, olds] of oldItems) this.#compareItems(comparison, element, olds, newItems.get(element) ?? []);
    for (const [element, news] of newItems)
      if (!oldItems.has(element)) this.#compareItems(comparison, element, [], news);
    return children.result();
  }

  /** Elements are told only where there is a change. */
  #compareAligned(list: ListAtom, old: readonly JSONValue[], now: readonly JSONValue[]): Change | undefined {
    let children: Children | undefined;
    for (const [i, item] of now.entries()) {
      const change = this.compare(list.element, old[i] as JSONValue, item);
      if (change !== undefined) (children ??= new Children()).change(elementAt(list, item, i), change);
    }
    return children?.result();
  }

  #compareItems(
    { children, list }: ListComparison,
    element: PathElement,
    olds: readonly JSONValue[],
    news: readonly JSONValue[],
  ): void {
    const [old] = olds;
    const [now] = news;
    if (olds.length <= 1 && news.length <= 1) {
      if (old === undefined) children.add(element, whole(list.element, now as JSONValue, this.#asStructs));
      else if (now === undefined) children.remove(element, whole(list.element, old, true));
      else children.change(element, this.compare(list.element, old, now));
    } else if (olds.length >= 2 && news.length >= 2) {
      // Duplicates are compared like an atomic list.
      if (!equalJSON(olds as JSONValue[], news as JSONValue[])) children.modify(element);
    } else if (olds.length >= 2) {
      if (now !== undefined) children.add(element, whole(list.element, now, this.#asStructs));
      children.remove(element, LEAF);
    } else {
      if (old !== undefined) children.remove(element, whole(list.element, old, true));
      children.add(element, LEAF);
    }
  }
}

const structs = new Comparer(true);
const values = new Comparer(false);
