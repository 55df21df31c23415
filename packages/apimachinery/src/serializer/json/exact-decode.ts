import { zeroValue } from '../../schema/zero-value.ts';
import { goQuote } from '../../errors/go-format.ts';
import { FormatError } from '../../errors/format-error.ts';
import { canonicalMicroTime, canonicalTime } from '../../meta/time.ts';
import { canonicalDuration } from '../../meta/duration.ts';
import { canonicalQuantity } from '../../quantity/canonical.ts';
import { goTypeOf } from '../../schema/go-name.ts';
import type {
  AnySchema,
  Field,
  ListSchema,
  MapSchema,
  ScalarSchema,
  Schema,
  StructSchema,
  Variant,
} from '../../schema/schema.ts';
import { noteEmptied } from '../../object/emptied.ts';
import { isEmptyValue } from './empty.ts';
import { goKind, plainNumber, plainValue, setMember } from './plain-value.ts';
import { RawNumber, RawObject } from './tree.ts';
import type { RawValue } from './tree.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';

/** sigs.k8s.io/json keeps no more strict errors of one document. */
export const MAX_STRICT_ERRORS = 100;
const MAX_INT64 = 2n ** 63n - 1n,
  MIN_INT64 = -(2n ** 63n);

export interface ExactResult {
  /** Undefined when there is an error. */
  readonly value: Record<string, unknown>;
  /** Go's text of the error that makes the object unusable. */
  readonly error: string | undefined;
  readonly strictErrors: string[];
}

/**
 * Decodes a tree by schema, error for error as sigs.k8s.io/json decodes into Go structs: the first type
 * error is reported after everything was read, errors of hand-written types end the decoding at once,
 * duplicate members are merged into what their first occurrence left.
 */
export function exactDecode(raw: RawValue, schema: StructSchema): ExactResult {
  const decoder = new ExactDecoder();
  const value: Record<string, unknown> = {};
  try {
    if (raw instanceof RawObject) decoder.struct(raw, schema, value);
    else if (raw !== null) decoder.typeError(goKind(raw), goTypeOf(schema));
  } catch (error) {
    if (!(error instanceof Abort) && !(error instanceof FormatError)) throw error;
    return { value, error: error.message, strictErrors: [] };
  }
  return { value, error: decoder.error, strictErrors: decoder.strictErrors };
}

/** The strict errors alone of what decodes without an error; none of what does not. */
export function strictErrorsOf(raw: RawValue, schema: Schema): readonly string[] {
  const decoder = new ExactDecoder();
  decoder.value(raw, schema, undefined);
  return decoder.error === undefined ? decoder.strictErrors : [];
}

/**
 * A union's value by itself, as its hand-written UnmarshalJSON reads it: without strict checks.
 * @throws FormatError with Go's text
 */
export function exactDecodeVariant(raw: RawValue, variant: Variant): unknown {
  try {
    return new ExactDecoder().alone(raw, variant);
  } catch (error) {
    throw error instanceof Abort ? new FormatError(error.message) : error;
  }
}

/** Ends decoding: what an UnmarshalJSON method of Go returned. */
class Abort extends Error {}

class ExactDecoder {
  /** First type error, if any. */
  error: string | undefined;
  readonly strictErrors: string[] = [];
  readonly #seen = new Set<string>();
  /**
   * Go struct that the current field belongs to, and the field path from the root; lists and map keys do not show in
   * it.
   */
  #struct = '';
  #fields: string[] = [];
  /** Path for strict errors, indices and map keys included. */
  #path: (string | number)[] = [];
  /** Inside hand-written unmarshalers there are no strict checks. */
  #lenient = 0;
  /** The struct that the outermost of them is a field of. */
  #variantOf: string | undefined;

  struct(raw: RawObject, schema: StructSchema, into: Record<string, unknown>): void {
    const outer = this.#struct,
      depth = this.#fields.length;
    const seen = new Set<string>();
    const structName = schema.goType?.slice(schema.goType.indexOf('.') + 1) ?? '';
    for (let i = 0; i < raw.keys.length; i++) {
      const key = raw.keys[i] ?? '',
        value = raw.values[i] ?? null;
      const field = schema.fields.get(key);
      if (field === undefined) {
        this.#strict('unknown', key);
        continue;
      }
      if (seen.has(key)) this.#strict('duplicate', key);
      seen.add(key);
      if (field.embedded !== undefined) this.#fields.push(field.goPath ?? field.embedded.name);
      this.#struct = structName;
      this.#fields.push(key);
      this.#path.push(key);
      this.#member(value, field, into);
      this.#path.pop();
      this.#fields.length = depth;
      this.#struct = outer;
    }
  }

  #member(raw: RawValue, field: Field, into: Record<string, unknown>): void {
    if (raw === null) {
      // Go's null clears pointers, maps and slices, and leaves everything else as it was.
      if (field.pointer === true || field.schema.kind === 'list' || field.schema.kind === 'map')
        delete into[field.name];
      return;
    }
    const value = this.value(raw, field.schema, into[field.name]);
    if (value === undefined) return;
    if (field.omitEmpty === true && isEmptyValue(value)) {
      const kind = emptyKind(field.schema);
      if (kind !== undefined) noteEmptied(into, field.name, kind);
      delete into[field.name];
    } else setMember(into, field.name, value);
  }

  /**
   * The decoded value; undefined when it is unusable (an error was kept). `existing` is what a duplicate field finds.
   */
  value(raw: RawValue, schema: Schema, existing: unknown): unknown {
    switch (schema.kind) {
      case 'struct': {
        if (!(raw instanceof RawObject)) return this.typeError(goKind(raw), goTypeOf(schema));
        const into = isPlainObject(existing) ? existing : {};
        this.struct(raw, schema, into);
        return into;
      }
      case 'map':
        return this.#map(raw, schema, existing);
      case 'list':
        return this.#list(raw, schema, existing);
      case 'any':
        return this.#any(raw, schema);
      case 'scalar':
        return this.#scalar(raw, schema);
      default:
        return schema satisfies never;
    }
  }

  #map(raw: RawValue, schema: MapSchema, existing: unknown): unknown {
    if (!(raw instanceof RawObject)) return this.typeError(goKind(raw), goTypeOf(schema));
    const into = isPlainObject(existing) ? existing : {};
    const seen = new Set<string>();
    for (let i = 0; i < raw.keys.length; i++) {
      const key = raw.keys[i] ?? '',
        item = raw.values[i] ?? null;
      if (seen.has(key)) this.#strict('duplicate', key);
      seen.add(key);
      this.#path.push(key);
      setMember(
        into,
        key,
        (item === null ? undefined : this.value(item, schema.values, undefined)) ?? zeroValue(schema.values),
      );
      this.#path.pop();
    }
    return into;
  }

  #list(raw: RawValue, schema: ListSchema, existing: unknown): unknown {
    if (!Array.isArray(raw)) return this.typeError(goKind(raw), goTypeOf(schema));
    const before: readonly unknown[] = Array.isArray(existing) ? existing : [];
    return raw.map((item, i) => {
      this.#path.push(i);
      const value = (item === null ? before[i] : this.value(item, schema.items, before[i])) ?? zeroValue(schema.items);
      this.#path.pop();
      return value;
    });
  }

  #any(raw: RawValue, schema: AnySchema): unknown {
    if (schema.variant !== undefined) return this.#variant(raw, schema.variant);
    // RawExtension, JSON and FieldsV1 keep bytes; interface{} is decoded, and so checked for duplicates.
    const untyped = schema.rawExtension !== true && schema.fieldsV1 !== true && schema.goType === 'interface {}';
    return plainValue(raw, this.#path, untyped ? (path, key) => this.#strict('duplicate', key, path) : undefined);
  }

  #variant(raw: RawValue, variant: Variant): unknown {
    // A method of Go decodes it: an error inside ends everything, in spite of earlier ones, and names the struct
    // outside.
    const earlier = this.error;
    this.error = undefined;
    if (this.#lenient++ === 0) this.#variantOf = this.#struct;
    try {
      const value = this.#form(raw, variant);
      if (this.error !== undefined) throw new Abort(this.error);
      this.error = earlier;
      return value;
    } finally {
      if (--this.#lenient === 0) this.#variantOf = undefined;
    }
  }

  /** A union that is a field of nothing. */
  alone(raw: RawValue, variant: Variant): unknown {
    this.#lenient++;
    return this.#variant(raw, variant);
  }

  #form(raw: RawValue, variant: Variant): unknown {
    if (raw instanceof RawObject) return this.value(raw, variant.object, undefined);
    if (variant.name !== 'JSONSchemaPropsOrBool')
      return Array.isArray(raw) && variant.list !== undefined ? this.value(raw, variant.list, undefined) : null;
    if (typeof raw !== 'boolean') throw new Abort('boolean or JSON schema expected');
    return raw;
  }

  #scalar(raw: RawValue, schema: ScalarSchema): unknown {
    switch (schema.type) {
      case 'string':
        return typeof raw === 'string' ? raw : this.typeError(goKind(raw), goTypeOf(schema));
      case 'boolean':
        return typeof raw === 'boolean' ? raw : this.typeError(goKind(raw), goTypeOf(schema));
      case 'int32':
      case 'int64':
      case 'integer':
        return this.#integer(raw, schema);
      case 'double':
      case 'number':
        return this.#float(raw, schema);
      case 'bytes':
        return this.#bytes(raw, schema);
      case 'time':
        return this.#text(raw, canonicalTime);
      case 'microTime':
        return this.#text(raw, canonicalMicroTime);
      case 'duration':
        return this.#text(raw, canonicalDuration);
      case 'quantity':
        return this.#quantity(raw);
      case 'intOrString':
        return this.#intOrString(raw);
      default:
        return schema.type satisfies never;
    }
  }

  #integer(raw: RawValue, schema: ScalarSchema): unknown {
    if (!(raw instanceof RawNumber)) return this.typeError(goKind(raw), goTypeOf(schema));
    const value = integerOf(raw.text, schema.type === 'int32' ? 32 : 64);
    return value ?? this.typeError(`number ${raw.text}`, goTypeOf(schema));
  }

  #float(raw: RawValue, schema: ScalarSchema): unknown {
    if (!(raw instanceof RawNumber)) return this.typeError(goKind(raw), goTypeOf(schema));
    const value = Number(raw.text);
    return Number.isFinite(value) ? value : this.typeError(`number ${raw.text}`, goTypeOf(schema));
  }

  #bytes(raw: RawValue, schema: ScalarSchema): unknown {
    if (Array.isArray(raw)) return Buffer.from(raw.map((item) => this.#byte(item))).toString('base64');
    if (typeof raw !== 'string') return this.typeError(goKind(raw), goTypeOf(schema));
    const offset = corruptBase64(raw);
    if (offset !== undefined) {
      this.error ??= `illegal base64 data at input byte ${offset}`;
      return undefined;
    }
    return Buffer.from(raw, 'base64').toString('base64');
  }

  /** One byte of a list of numbers. */
  #byte(raw: RawValue): number {
    if (raw === null) return 0;
    if (!(raw instanceof RawNumber)) this.typeError(goKind(raw), 'uint8');
    else {
      const value = integerOf(raw.text, 64);
      if (value !== undefined && value >= 0 && value <= 0xff) return Number(value);
      this.typeError(`number ${raw.text}`, 'uint8');
    }
    return 0;
  }

  #text(raw: RawValue, canonical: (text: string) => string | null): unknown {
    if (typeof raw !== 'string') throw new Abort(this.#typeText(goKind(raw), 'string'));
    return abortOn(() => canonical(raw));
  }

  #quantity(raw: RawValue): unknown {
    const text =
      typeof raw === 'string'
        ? raw
        : raw instanceof RawNumber
          ? raw.text
          : typeof raw === 'boolean'
            ? String(raw)
            : '{}';
    return abortOn(() => canonicalQuantity(text));
  }

  #intOrString(raw: RawValue): unknown {
    if (typeof raw === 'string') return raw;
    if (!(raw instanceof RawNumber)) throw new Abort(this.#typeText(goKind(raw), 'int32'));
    const value = integerOf(raw.text, 32);
    if (value === undefined) throw new Abort(this.#typeText(`number ${raw.text}`, 'int32'));
    return value;
  }

  /** Keeps the first type error; always returns undefined. */
  typeError(found: string, goType: string): undefined {
    this.error ??= this.#typeText(found, goType);
    return undefined;
  }

  #typeText(found: string, goType: string): string {
    return this.#fields.length === 0
      ? `json: cannot unmarshal ${found} into Go value of type ${goType}`
      : `json: cannot unmarshal ${found} into Go struct field ` +
          `${this.#variantOf ?? this.#struct}.${this.#fields.join('.')} of type ${goType}`;
  }

  #strict(what: 'unknown' | 'duplicate', key: string, path: readonly (string | number)[] = this.#path): void {
    if (this.#lenient > 0 || this.strictErrors.length >= MAX_STRICT_ERRORS) return;
    const text = `${what} field ${goQuote(pathText(path, key))}`;
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    this.strictErrors.push(text);
  }
}

/** `spec.ports[0].name` */
export function pathText(path: readonly (string | number)[], key: string): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
  return text === '' ? key : `${text}.${key}`;
}

function abortOn(canonical: () => string | null): string | null {
  try {
    return canonical();
  } catch (error) {
    throw error instanceof FormatError ? new Abort(error.message) : error;
  }
}

/** strconv.ParseInt: no point, no exponent, in range. */
function integerOf(text: string, bits: 32 | 64): number | bigint | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const value = plainNumber(text);
  if (bits === 32)
    return typeof value === 'number' && value >= -0x8000_0000 && value <= 0x7fff_ffff ? value + 0 : undefined;
  if (typeof value === 'bigint') return value >= MIN_INT64 && value <= MAX_INT64 ? value : undefined;
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** Offset of the first byte that base64.StdEncoding refuses; line breaks are ignored. */
export function corruptBase64(text: string): number | undefined {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? '';
    if (c === '\r' || c === '\n') continue;
    if (c === '=') {
      if (count % 4 < 2) return i;
      let next = i + 1;
      const skipBreaks = (): void => {
        while (text[next] === '\n' || text[next] === '\r') next++;
      };
      if (count % 4 === 2) {
        skipBreaks();
        if (next >= text.length) return text.length;
        if (text[next] !== '=') return next - 1;
        next++;
      }
      skipBreaks();
      return next < text.length ? next : undefined;
    }
    if (!/[A-Za-z0-9+/]/.test(c)) return i;
    count++;
  }
  return count % 4 === 0 ? undefined : text.length - (count % 4);
}

/** What Go tells from none when it is empty: lists, maps and bytes. */
export function emptyKind(schema: Schema): 'map' | 'list' | 'bytes' | undefined {
  if (schema.kind === 'map' || schema.kind === 'list') return schema.kind;
  return schema.kind === 'scalar' && schema.type === 'bytes' ? 'bytes' : undefined;
}
