import { equalJSON, isJSONObject } from '../object/json-object.ts';
import type { JSONValue } from '../object/object.ts';
import type { Atom, FieldAtom, ListAtom, MapAtom } from './atom.ts';
import { formOf } from './atom.ts';
import type { FieldNode, FieldSet } from './field-set.ts';
import { itemElement } from './list-items.ts';
import { insertField, isEmpty, joinItems, sortedKeys } from './field-text.ts';
import type { FieldTexts, ItemText } from './field-text.ts';
import { elementKey } from './path-element.ts';

/**
 * The wire form, as JSON, of what a new object sets: the fields that comparing it with `{}` finds added or modified,
 * without those in `leftOut` and below. `''` when there are none; `undefined` for an object that takes the long way:
 * one with repeated items, or with fields beside the declared ones.
 *
 * The same as compareTyped, union, difference and toFieldsV1 one after the other, which creating would else spend most
 * of its time on: no set is made, and names come with their keys and their order from the schema.
 */
export function newFieldsText(atom: Atom, object: JSONValue, leftOut: FieldSet): string | undefined {
  try {
    return changeText(atom, {}, object, leftOut);
  } catch (error) {
    if (error === longWay) return undefined;
    throw error;
  }
}

const longWay: unknown = new RangeError('this object takes the long way');
const leaf = '{}';

/** The node of a field that had its zero value before; `''` when it has it still. */
function changeText(atom: Atom, zero: JSONValue, value: JSONValue, leftOut: FieldSet | undefined): string {
  if (zero === value) return '';
  const form = formOf(atom, value);
  if (form !== formOf(atom, zero)) throw longWay;
  switch (form) {
    case 'map':
      return changedMap(atom.map as MapAtom, zero, value, leftOut);
    case 'list':
      return changedList(atom.list as ListAtom, zero, value);
    case 'scalar':
      return equalJSON(zero, value) ? '' : leaf;
    default:
      return form satisfies never;
  }
}

function changedMap(map: MapAtom, zero: JSONValue, value: JSONValue, leftOut: FieldSet | undefined): string {
  if (map.atomic) return equalJSON(zero, value) ? '' : leaf;
  if (!isJSONObject(value)) return '';
  const wasThere = isJSONObject(zero);
  if (map.zeroFields.length === 0 && isEmpty(value) && (!wasThere || isEmpty(zero)))
    return equalJSON(zero, value) ? '' : leaf;
  if (wasThere && !isEmpty(zero)) throw longWay;
  return map.fields.size === 0
    ? keysText('{', map, value, leftOut)
    : fieldsText('{', map, value, { wasThere, leftOut });
}

function changedList(list: ListAtom, zero: JSONValue, value: JSONValue): string {
  if (Array.isArray(zero) && zero.length > 0) throw longWay;
  if (list.atomic || !Array.isArray(value) || value.length === 0) return equalJSON(zero, value) ? '' : leaf;
  return itemsText('{', list, value);
}

/** The node of a value that was not there at all. */
function wholeText(atom: Atom, value: JSONValue, leftOut?: FieldSet): string {
  switch (formOf(atom, value)) {
    case 'map': {
      const map = atom.map as MapAtom;
      if (map.atomic || !isJSONObject(value)) return leaf;
      const text =
        map.fields.size === 0
          ? keysText(memberBegin, map, value, leftOut)
          : fieldsText(memberBegin, map, value, { wasThere: false, leftOut });
      return text === '' ? leaf : text;
    }
    case 'list': {
      const list = atom.list as ListAtom;
      return list.atomic || !Array.isArray(value) || value.length === 0 ? leaf : itemsText(memberBegin, list, value);
    }
    default:
      return leaf;
  }
}

/** A node that is in the set itself, before its children. */
const memberBegin = '{".":{},';

/** Declared fields. `wasThere`: the object was there before, all its fields with their zero values. */
function fieldsText(
  begin: string,
  map: MapAtom,
  value: Readonly<Record<string, JSONValue>>,
  { wasThere, leftOut }: { readonly wasThere: boolean; readonly leftOut: FieldSet | undefined },
): string {
  const children: FieldTexts = { ranks: [], texts: [] };
  let zeros = 0;
  for (const key in value) {
    const item = value[key];
    if (item === undefined) continue;
    const field = map.fields.get(key);
    if (field === undefined) {
      if (map.element === undefined) continue;
      throw longWay;
    }
    const without = leftOut?.get(field.element);
    const { zero } = field;
    if (zero !== undefined) zeros++;
    if (without?.member === true) continue;
    const text =
      zero !== undefined && wasThere
        ? changeText(field.atom, zero, item, without?.children)
        : wholeText(field.atom, item, without?.children);
    if (text !== '') insertField(children, field.rank, field.key + text);
  }
  if (!wasThere && zeros < map.zeroFields.length) {
    for (const field of map.zeroFields)
      if (!Object.hasOwn(value, field.name)) insertZero(children, field, leftOut?.get(field.element));
  }
  return children.texts.length === 0 ? '' : `${begin}${children.texts.join(',')}}`;
}

function insertZero(children: FieldTexts, field: FieldAtom, without: FieldNode | undefined): void {
  if (without?.member === true) return;
  insertField(children, field.rank, field.key + wholeText(field.atom, field.zero as JSONValue, without?.children));
}

/** Keys of a map. */
function keysText(
  begin: string,
  map: MapAtom,
  value: Readonly<Record<string, JSONValue>>,
  leftOut: FieldSet | undefined,
): string {
  const { element } = map;
  if (element === undefined) return '';
  let text = '';
  for (const key of sortedKeys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const path = `f:${key}`;
    const without = leftOut?.get(path);
    if (without?.member === true) continue;
    text += `${text === '' ? begin : ','}${elementKey(path)}${wholeText(element, item, without?.children)}`;
  }
  return text === '' ? '' : `${text}}`;
}

/** Items of a set or list map. */
function itemsText(begin: string, list: ListAtom, items: readonly JSONValue[]): string {
  const children: ItemText[] = [];
  for (const item of items) {
    const { element } = itemElement(list, item);
    if (element === undefined) throw longWay;
    children.push({ element, text: wholeText(list.element, item) });
  }
  const text = joinItems(children);
  if (text === undefined) throw longWay;
  return `${begin}${text}}`;
}
