import { goFieldName } from '../../schema/go-field-name.ts';
import type { Embed, ListSchema, ScalarSchema, Schema, StructSchema } from '../../schema/schema.ts';

/** How a value is written, independent of the field it stands in. */
export type WireType =
  | { readonly kind: ScalarSchema['type'] }
  /** JSON text; of managed fields it is the server's own, else clients'. */
  | { readonly kind: 'raw'; readonly isFieldSet: boolean }
  | { readonly kind: 'variant'; readonly schema: Extract<Schema, { kind: 'any' }> }
  | { readonly kind: 'message'; readonly schema: StructSchema }
  | {
      readonly kind: 'wrapped';
      readonly items: WireType;
      /** The message's name, and that of its field. */
      readonly names: readonly [string, string];
    };

/** One field of a message. */
export interface WireField {
  readonly number: number;
  readonly name: string;
  /** As gogo's errors have it. */
  readonly goName: string;
  readonly shape: 'single' | 'repeated' | 'map' | 'embedded';
  readonly type: WireType;
  /** Of its tag: 0 for integers, 1 for doubles, 2 for all that has a length. */
  readonly wireType: number;
  /** Go pointer: absent means not written; other single values are always written. */
  readonly optional: boolean;
  /** A zero value read from the wire is left out of the object. */
  readonly omitEmpty: boolean;
}

/** A struct's fields as its protobuf message has them. */
export interface WirePlan {
  /** Name of the message: gogo's errors tell it. */
  readonly message: string;
  /** In descending order of number: the order of writing. */
  readonly descending: readonly WireField[];
  /** Indexed by field number. */
  readonly byNumber: readonly (WireField | undefined)[];
}

const LIST_META = 'v1.ListMeta';

const plans = new WeakMap<StructSchema, WirePlan>();

/** The plan of a struct, made on first use. */
export function planOf(schema: StructSchema): WirePlan {
  let plan = plans.get(schema);
  if (plan === undefined) plans.set(schema, (plan = makePlan(schema)));
  return plan;
}

function makePlan(schema: StructSchema): WirePlan {
  const fields: WireField[] = [];
  for (const field of schema.fields.values()) {
    if (field.number === undefined) continue;
    const shape = shapeOf(field.schema);
    fields.push({
      number: field.number,
      name: field.name,
      goName: field.schema.goType === LIST_META ? 'ListMeta' : goFieldName(schema.goType ?? '', field.name),
      ...shape,
      wireType: shape.shape === 'map' ? 2 : wireTypeOf(shape.type),
      optional: field.pointer === true,
      omitEmpty: field.omitEmpty === true,
    });
  }
  for (const embed of schema.embeds ?? []) if (embed.number !== undefined) fields.push(embedded(embed, embed.number));
  const byNumber: (WireField | undefined)[] = [];
  for (const field of fields) byNumber[field.number] = field;
  return { message: messageName(schema), descending: fields.toSorted((a, b) => b.number - a.number), byNumber };
}

/** As gogo's errors name it. */
function messageName({ goType }: Schema): string {
  return goType?.slice(goType.indexOf('.') + 1) ?? 'message';
}

function embedded(embed: Embed, number: number): WireField {
  return {
    number,
    name: embed.name,
    goName: embed.name,
    shape: 'embedded',
    type: { kind: 'message', schema: embed.schema },
    wireType: 2,
    optional: embed.pointer === true,
    omitEmpty: false,
  };
}

function shapeOf(schema: Schema): { shape: WireField['shape']; type: WireType } {
  if (schema.kind === 'map') return { shape: 'map', type: typeOf(schema.values) };
  if (schema.kind === 'list' && schema.protobufWrapped !== true)
    return { shape: 'repeated', type: typeOf(schema.items) };
  return { shape: 'single', type: typeOf(schema) };
}

/** @throws UnsupportedWireTypeError for shapes that no Kubernetes type has */
function typeOf(schema: Schema): WireType {
  switch (schema.kind) {
    case 'scalar':
      return { kind: schema.type };
    case 'any':
      return schema.variant === undefined
        ? { kind: 'raw', isFieldSet: schema.fieldsV1 === true }
        : { kind: 'variant', schema };
    case 'struct':
      return { kind: 'message', schema };
    case 'list':
      return {
        kind: 'wrapped',
        items: typeOf((schema satisfies ListSchema).items),
        names: [messageName(schema), 'Items'],
      };
    case 'map':
      throw new UnsupportedWireTypeError('a map inside a list or map');
    default:
      return schema satisfies never;
  }
}

/** The wire type of a value's tag. */
export function wireTypeOf(type: WireType): number {
  switch (type.kind) {
    case 'boolean':
    case 'int32':
    case 'int64':
    case 'integer':
      return 0;
    case 'double':
    case 'number':
      return 1;
    default:
      return 2;
  }
}

/** A schema that has no protobuf form. */
export class UnsupportedWireTypeError extends Error {
  override readonly name = 'UnsupportedWireTypeError';
  constructor(what: string) {
    super(`no protobuf form for ${what}`);
  }
}
