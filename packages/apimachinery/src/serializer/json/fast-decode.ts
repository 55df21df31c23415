import { FormatError } from '../../errors/format-error.ts';
import { canonicalMicroTime, canonicalTime } from '../../meta/time.ts';
import { canonicalDuration } from '../../meta/duration.ts';
import { canonicalQuantity } from '../../quantity/canonical.ts';
import type { ListSchema, StructSchema } from '../../schema/schema.ts';
import { noteEmptied } from '../../object/emptied.ts';
import { compile, membersOf, Op, type Node } from './compiled-schema.ts';
import { isEmptyValue } from './empty.ts';
import { isCanonicalBase64 } from './is-canonical-base64.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';

/*
 * The fast path works in place on what JSON.parse gave, and only ever says yes: anything unusual (a value of
 * the wrong type, a null where it matters, an unknown field under strict rules) makes it give up, and the
 * exact decoder starts again from the bytes and finds the right words.
 */

/** The outcome of a fast walk: object keys seen, or -1 when the exact decoder has to do it. */
export function fastDecode(object: Record<string, unknown>, schema: StructSchema, isStrict: boolean): number {
  const walk = new Walk(isStrict);
  return walk.decode(object, schema) ? walk.keys : -1;
}

/** Object keys in an untyped value, nested ones included. */
export function countKeys(value: unknown): number {
  const walk = new Walk(false);
  walk.countNested(value);
  return walk.keys;
}

/** One walk over one object. */
class Walk {
  /** Object keys seen so far. */
  keys = 0;
  /** Whether unknown fields count. */
  #strict: boolean;
  /** Canonical form of the value looked at last, where that has another. */
  #replacement: unknown;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  /** Whether the object has the shape of `schema`, which it is brought into as far as it has been walked. */
  decode(object: Record<string, unknown>, schema: StructSchema): boolean {
    return this.#walkStruct(object, compile(schema));
  }

  #walkStruct(object: Record<string, unknown>, node: Node): boolean {
    const members = node.members ?? membersOf(node);
    for (const key in object) {
      this.keys++;
      const member = members.get(key);
      const value = object[key];
      if (member === undefined) {
        if (this.#strict) return false;
        this.countNested(value);
        delete object[key];
        continue;
      }
      if (value === null) {
        delete object[key];
        continue;
      }
      const child = member.node;
      if (child.op === 0 && typeof value === 'string') {
        if (member.omitEmpty && value === '') delete object[key];
        continue;
      }
      if (!this.#walk(value, child)) return false;
      if (member.omitEmpty && isEmptyValue(value)) {
        if (child.op === Op.map || child.op === Op.list || child.op === Op.bytes)
          noteEmptied(object, key, child.op === Op.map ? 'map' : child.op === Op.list ? 'list' : 'bytes');
        delete object[key];
        continue;
      }
      if (this.#replacement !== undefined) {
        object[key] = this.#replacement;
        this.#replacement = undefined;
      }
    }
    return true;
  }

  /** Checks a value that is not null; a canonical form that differs is left in `replacement`. */
  #walk(value: unknown, node: Node): boolean {
    switch (node.op) {
      case Op.string:
        return typeof value === 'string';
      case Op.boolean:
        return typeof value === 'boolean';
      case Op.int32:
        return typeof value === 'number' && (value | 0) === value;
      case Op.int64:
        return typeof value === 'number' && Number.isSafeInteger(value);
      case Op.double:
        return typeof value === 'number';
      case Op.bytes:
        return typeof value === 'string' && isCanonicalBase64(value);
      case Op.time:
        return typeof value === 'string' && this.#canonical(value, canonicalTime);
      case Op.microTime:
        return typeof value === 'string' && this.#canonical(value, canonicalMicroTime);
      case Op.duration:
        return typeof value === 'string' && this.#canonical(value, canonicalDuration);
      case Op.quantity:
        return (typeof value === 'string' || typeof value === 'number') && this.#canonical(value, canonicalQuantity);
      case Op.intOrString:
        return typeof value === 'string' || (typeof value === 'number' && (value | 0) === value);
      case Op.struct:
        return isPlainObject(value) && this.#walkStruct(value, node);
      case Op.map:
        return isPlainObject(value) && this.#walkMap(value, node.child as Node);
      case Op.list:
        return Array.isArray(value) && this.#walkList(value, node.child as Node);
      case Op.any:
        this.countNested(value);
        return true;
      default:
        return this.#walkVariant(value, node);
    }
  }

  #walkMap(object: Record<string, unknown>, child: Node): boolean {
    const plain = child.op === Op.string;
    for (const key in object) {
      this.keys++;
      const value = object[key];
      if (plain) {
        if (typeof value !== 'string') return false;
        continue;
      }
      if (value === null || !this.#walk(value, child)) return false;
      if (this.#replacement !== undefined) {
        object[key] = this.#replacement;
        this.#replacement = undefined;
      }
    }
    return true;
  }

  #walkList(list: unknown[], child: Node): boolean {
    for (let i = 0; i < list.length; i++) {
      const value = list[i];
      if (value === null || !this.#walk(value, child)) return false;
      if (this.#replacement !== undefined) {
        list[i] = this.#replacement;
        this.#replacement = undefined;
      }
    }
    return true;
  }

  /** Hand-written unions have no strict checks inside. */
  #walkVariant(value: unknown, node: Node): boolean {
    const schema = node.schema;
    if (schema.kind !== 'any' || schema.variant === undefined) return false;
    const before = this.#strict;
    this.#strict = false;
    const done = isPlainObject(value)
      ? this.#walkStruct(value, node.child as Node)
      : typeof value === 'boolean'
        ? schema.variant.name === 'JSONSchemaPropsOrBool'
        : Array.isArray(value) &&
          schema.variant.list !== undefined &&
          this.#walkList(value, compile((schema.variant.list as ListSchema).items));
    this.#strict = before;
    return done;
  }

  #canonical<T extends string | number>(value: T, form: (value: T) => string | null): boolean {
    try {
      const text = form(value);
      if (text !== value) this.#replacement = text;
      return true;
    } catch (error) {
      if (error instanceof FormatError) return false;
      throw error;
    }
  }

  countNested(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) this.countNested(item);
      return;
    }
    for (const key in value) {
      this.keys++;
      this.countNested((value as Record<string, unknown>)[key]);
    }
  }
}
