import { stringType, listOf, objectOf, dynType } from '../types/types.ts';
import type { CelType } from '../types/types.ts';
import { jsonOf } from './to-json.ts';
import { CelError, CelOpaque, isList, isMap, itemsOf } from './values.ts';

/** A message that expressions can make: `Name{field: value}`. */
export interface MessageType {
  readonly type: CelType;
  fieldType(name: string): CelType;
  /** A value, or the CelError of fields that do not fit. */
  make(fields: ReadonlyMap<string, unknown>): unknown;
}

/** Any name is a field, and says nothing about its value. */
class AnyFields extends Map<string, CelType> {
  override get(_name: string): CelType {
    return dynType;
  }
}

/** An object of an apply configuration: `Object{spec: Object.spec{…}}` (apiserver/cel/mutation/dynamic, 1.36). */
export class ObjectValue extends CelOpaque {
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, unknown>;
  constructor(typeName: string, fields: ReadonlyMap<string, unknown>) {
    super();
    this.typeName = typeName;
    this.fields = fields;
  }
  override equals(other: CelOpaque): boolean {
    return other === this;
  }
}

/** One operation of a JSON patch (apiserver/cel/mutation JSONPatchVal, 1.36). */
export class JSONPatchValue extends CelOpaque {
  readonly typeName = 'JSONPatch';
  readonly fields: ReadonlyMap<string, unknown>;
  constructor(fields: ReadonlyMap<string, unknown>) {
    super();
    this.fields = fields;
  }
  override equals(other: CelOpaque): boolean {
    return other === this;
  }
  /** The operation as a patch has it. @throws CelError for values that are no JSON */
  operation(): Readonly<Record<string, unknown>> {
    const text = (name: string): string => {
      const value = this.fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const from = text('from');
    return {
      op: text('op'),
      path: text('path'),
      ...(from === '' ? {} : { from }),
      ...(this.fields.has('value') ? { value: jsonOf(this.fields.get('value')) } : {}),
    };
  }
}

/** `Object{…}` of mutations, with any fields. */
export const objectType: CelType = objectOf('Object', new AnyFields());
const jsonPatchType: CelType = objectOf(
  'JSONPatch',
  new Map([
    ['op', stringType],
    ['from', stringType],
    ['path', stringType],
    ['value', dynType],
  ]),
);
/** The type of a field that is not there, which messages show as an empty name. */
const unknownField: CelType = objectOf('');
/** What an expression with JSON patches answers. */
export const jsonPatchListType: CelType = listOf(jsonPatchType);

/** The messages of mutations: `JSONPatch`, `Object` and `Object.` followed by a path of fields. */
export function mutationMessage(name: string): MessageType | undefined {
  if (name === 'JSONPatch') {
    return {
      type: jsonPatchType,
      fieldType: (field) => jsonPatchType.fields?.get(field) ?? unknownField,
      make(fields) {
        for (const [field, value] of fields) {
          if (!jsonPatchType.fields?.has(field)) return new CelError(`unexpected JSONPatchType field: ${field}`);
          if (field !== 'value' && typeof value !== 'string')
            return new CelError(`unexpected type for JSONPatchType '${field}' field`);
        }
        return new JSONPatchValue(fields);
      },
    };
  }
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return {
    type: name === 'Object' ? objectType : objectOf(name, new AnyFields()),
    fieldType: () => dynType,
    make: (fields) => new ObjectValue(name, fields),
  };
}

/** Objects whose names do not say where they stand below the first, each told (CheckTypeNamesMatchFieldPathNames). */
export function misplacedObjects(value: unknown): readonly string[] {
  return value instanceof ObjectValue ? misplaced(value, value.typeName) : [];
}

function misplaced(value: unknown, path: string): readonly string[] {
  if (value instanceof ObjectValue) {
    const own =
      value.typeName === path
        ? []
        : [
            `unexpected type name "${value.typeName}", expected "${path}", which matches field name path from ` +
              'root Object type',
          ];
    return [...own, ...[...value.fields].flatMap(([name, field]) => misplaced(field, `${path}.${name}`))];
  }
  return partsOf(value).flatMap((part) => misplaced(part, path));
}

function partsOf(value: unknown): readonly unknown[] {
  if (isList(value)) return itemsOf(value);
  return isMap(value) ? [...value.keys()].map((key) => value.get(key)) : [];
}
