import { compareText } from '../../errors/go-format.ts';
import { sortStrings } from '../../meta/sort-strings.ts';
import type { Schema, StructSchema } from '../../schema/schema.ts';
import { isEmptyValue } from './empty.ts';
import { setMember } from './plain-value.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';

/*
 * Brings an object into the form that Go writes: fields in struct order, zero values of fields without
 * omitempty filled in, empty ones with omitempty left out, map keys sorted. Nothing is modified; parts that
 * are in that form already are shared with the result, so that an untouched object costs one walk.
 */

interface Member {
  readonly name: string;
  readonly index: number;
  readonly omitEmpty: boolean;
  readonly hasZero: boolean;
  readonly zero: unknown;
  readonly schema: Schema;
  readonly plain: boolean;
  readonly forgetsEmpty: boolean;
}
interface Members {
  readonly byName: ReadonlyMap<string, Member>;
  readonly ordered: readonly Member[];
  readonly zeros: number;
}

const compiled = new WeakMap<StructSchema, Members>();

function membersOf(schema: StructSchema): Members {
  let members = compiled.get(schema);
  if (members === undefined) {
    const ordered = [...schema.fields.values()].map((field, index): Member => ({
      name: field.name,
      index,
      omitEmpty: field.omitEmpty === true,
      hasZero: field.zero !== undefined,
      zero: field.zero !== null && typeof field.zero === 'object' ? wireForm({}, field.schema) : field.zero,
      forgetsEmpty:
        field.zero === null &&
        (field.schema.kind === 'list' ||
          field.schema.kind === 'map' ||
          (field.schema.kind === 'scalar' && field.schema.type === 'bytes')),
      schema: field.schema,
      plain: field.schema.kind === 'scalar' || (field.schema.kind === 'any' && field.schema.variant === undefined),
    }));
    compiled.set(
      schema,
      (members = {
        ordered,
        byName: new Map(ordered.map((member) => [member.name, member])),
        zeros: ordered.filter((member) => member.hasZero).length,
      }),
    );
  }
  return members;
}

/**
 * How keys of maps are ordered. `exact`: by the bytes of their UTF-8 forms, as Go does. `quick`: by UTF-16 code units,
 * which is the same for texts without surrogates, in a fifth of the time. Objects have keys that look like indexes of
 * arrays before all others, by their numbers, whatever is done: `quick` throws an IndexKeysError where that is not the
 * order of texts, and with a mark such keys are written behind it, which makes ordinary ones of them.
 */
export type KeyOrder = 'exact' | 'quick' | MarkedOrder;

/** The exact order, where keys that look like indexes have `mark` before them. */
export interface MarkedOrder {
  readonly mark: string;
}

/** Keys of a map are not in Go's order, and an object cannot have them so. */
export class IndexKeysError extends Error {
  override readonly name = 'IndexKeysError';
}

/** The value in Go's form; the same value when nothing has to change. */
export function wireForm(value: unknown, schema: Schema, order: KeyOrder = 'exact'): unknown {
  return (typeof order === 'object' ? new Former(false, order) : formers.sent[order]).form(value, schema);
}

/**
 * As wireForm, but as the value comes back from storage in protobuf, which cannot tell an empty list, map or byte
 * string from an unset one: where Go writes unset ones at all, it writes `null`.
 */
export function storedForm(value: unknown, schema: Schema, order: KeyOrder = 'exact'): unknown {
  return (typeof order === 'object' ? new Former(true, order) : formers.stored[order]).form(value, schema);
}

/** The walk over a value. Holds nothing of it, so that one serves all. */
class Former {
  /** Empty lists and maps count as unset. */
  readonly #forgetEmpty: boolean;
  readonly #order: KeyOrder;

  constructor(forgetEmpty: boolean, order: KeyOrder) {
    this.#forgetEmpty = forgetEmpty;
    this.#order = order;
  }

  form(value: unknown, schema: Schema): unknown {
    switch (schema.kind) {
      case 'struct':
        return isPlainObject(value) ? this.#structForm(value, schema) : value;
      case 'map':
        return isPlainObject(value) ? this.#mapForm(value, schema.values) : value;
      case 'list':
        return Array.isArray(value) ? this.#listForm(value, schema.items) : value;
      case 'any': {
        if (schema.variant === undefined) return value;
        return isPlainObject(value)
          ? this.#structForm(value, schema.variant.object)
          : Array.isArray(value) && schema.variant.list !== undefined
            ? this.#listForm(value, schema.variant.list.items)
            : value;
      }
      case 'scalar':
        return value;
      default:
        return schema satisfies never;
    }
  }

  #structForm(object: Record<string, unknown>, schema: StructSchema): Record<string, unknown> {
    const members = membersOf(schema);
    let last = -1,
      zeros = 0,
      seen = 0;
    for (const key in object) {
      const member = members.byName.get(key);
      if (member === undefined || member.index < last) return this.#rebuild(object, members, seen);
      last = member.index;
      const value = memberOf(object, key);
      if (member.hasZero) {
        // An explicit null stands for an unset pointer, list or map; others have their own zero.
        if (value === undefined || (value === null && member.zero !== null) || this.#isForgotten(member, value))
          return this.#rebuild(object, members, seen);
        zeros++;
      } else if (value === null || value === undefined || (member.omitEmpty && isEmptyValue(value)))
        return this.#rebuild(object, members, seen);
      if (!member.plain) {
        const form = this.form(value, member.schema);
        if (form !== value) return this.#rebuild(object, members, seen, { name: key, form });
      }
      seen++;
    }
    return zeros === members.zeros ? object : this.#rebuild(object, members, seen);
  }

  /**
   * A copy in Go's form. The first `seen` members of the object are known to be in it already, and so is the form of
   * one more: a walk that went over them again at each level would take twice as long with each.
   */
  #rebuild(
    object: Record<string, unknown>,
    members: Members,
    seen: number,
    known?: { readonly name: string; readonly form: unknown },
  ): Record<string, unknown> {
    const done = new Set<string>();
    if (seen > 0) for (const key in object) if (done.add(key).size === seen) break;
    const out: Record<string, unknown> = {};
    for (const member of members.ordered) {
      const { name } = member;
      const value = object[name];
      if (value === undefined || value === null || this.#isForgotten(member, value)) {
        if (member.hasZero) setMember(out, name, member.zero);
      } else if (!(member.omitEmpty && isEmptyValue(value))) {
        setMember(
          out,
          name,
          member.plain || done.has(name) ? value : name === known?.name ? known.form : this.form(value, member.schema),
        );
      }
    }
    return out;
  }

  #isForgotten(member: Member, value: unknown): boolean {
    return this.#forgetEmpty && member.forgetsEmpty && isEmptyValue(value);
  }

  #listForm(list: unknown[], items: Schema): unknown[] {
    if (items.kind === 'scalar') return list;
    for (let i = 0; i < list.length; i++) {
      const item = this.form(list[i], items);
      if (item !== list[i]) return list.map((other, j) => (j < i ? other : j === i ? item : this.form(other, items)));
    }
    return list;
  }

  #mapForm(object: Record<string, unknown>, values: Schema): Record<string, unknown> {
    const plain = values.kind === 'scalar' || (values.kind === 'any' && values.variant === undefined);
    let last = '',
      sorted = true;
    let changed: Map<string, unknown> | undefined;
    for (const key in object) {
      if (isAfter(last, key, this.#order)) sorted = false;
      last = key;
      const form = plain ? object[key] : this.form(object[key], values);
      if (form !== object[key]) (changed ??= new Map<string, unknown>()).set(key, form);
    }
    return sorted && changed === undefined ? object : sortedMembers(object, changed, this.#order);
  }
}

/**
 * A member of any object, to be asked for by one function. Within the walk over its keys, V8 keeps in mind the first
 * key that it had to look for, compiles the walk for that one alone and finds it wrong, for as long as the process
 * runs: it compiled it a hundred times, and walked uncompiled meanwhile.
 */
function memberOf(object: Record<string, unknown>, key: string): unknown {
  return object[key];
}

const formers = {
  sent: { exact: new Former(false, 'exact'), quick: new Former(false, 'quick') },
  stored: { exact: new Former(true, 'exact'), quick: new Former(true, 'quick') },
};

/**
 * An untyped value with the keys of all objects sorted, as Go writes map[string]interface{}. Visits each value once,
 * and takes one frame of the stack for each level.
 */
export function sortedForm(value: unknown, order: KeyOrder = 'exact'): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let out: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const item: unknown = sortedForm(value[i], order);
      if (out !== undefined) out.push(item);
      else if (item !== value[i]) out = [...(value.slice(0, i) as unknown[]), item];
    }
    return out ?? value;
  }
  const object = value as Record<string, unknown>;
  let last = '',
    sorted = true;
  let changed: Map<string, unknown> | undefined;
  for (const key in object) {
    if (isAfter(last, key, order)) sorted = false;
    last = key;
    const form = sortedForm(object[key], order);
    if (form !== object[key]) (changed ??= new Map<string, unknown>()).set(key, form);
  }
  return sorted && changed === undefined ? object : sortedMembers(object, changed, order);
}

function isAfter(a: string, b: string, order: KeyOrder): boolean {
  return order === 'quick' ? a > b : compareText(a, b) > 0;
}

/** A copy with sorted keys; members in `changed` take their form from there. */
function sortedMembers(
  object: Record<string, unknown>,
  changed: ReadonlyMap<string, unknown> | undefined,
  order: KeyOrder,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const keys = Object.keys(object);
  const sorted = order === 'quick' ? sortStrings(keys) : keys.sort(compareText);
  if (order === 'quick' && sorted.some(isIndex) && !hasOrder(object, sorted))
    throw new IndexKeysError('keys look like indexes');
  for (const key of sorted)
    setMember(
      out,
      typeof order === 'object' && isIndex(key) ? order.mark + key : key,
      changed?.get(key) ?? object[key],
    );
  return out;
}

const digits = /^(?:0|[1-9]\d{0,9})$/;

/** Whether an object has a key before those that are none: those below 2^32 - 1. */
function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && digits.test(key);
}

/** Whether an object with these keys has them in this order. */
function hasOrder(object: Record<string, unknown>, sorted: readonly string[]): boolean {
  const probe: Record<string, unknown> = {};
  for (const key of sorted) setMember(probe, key, object[key]);
  let i = 0;
  for (const key in probe) if (key !== sorted[i++]) return false;
  return true;
}
