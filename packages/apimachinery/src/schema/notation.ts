import { goTypeOf } from './go-name.ts';
import type { AnySchema, Field, ListSchema, ScalarSchema, Schema, StructSchema, Variant } from './schema.ts';

/*
 * The notation of the generated schema table. One definition is one line:
 *
 *   definition = head { ";!" embed } { ";" field }
 *   head       = goType [" " flags] {" U=" discriminator "(" field ":" value {"|" …} ")"}
 *                flags: p protobuf message, ! atomic, v hand-written union
 *   embed      = "! " goName " " type [" " number] [" p"]
 *   field      = name " " type {" " attribute}
 *   attribute  = protobuf number | flags (r required, p pointer, o omitempty) | "d=" default | "z=" zero
 *                | "s=" patchStrategy {"+" …} | "k=" patchMergeKey | "e=" index of the embed it comes from | "g=" Go
 *                path of embeds inside embeds
 *   type       = "*" type | "[]" [go] type (atomic) | "[=]" … (set) | "[#" key {"+" key} "]" … (map)
 *                | "[&]" … (atomic, protobuf wraps the items in a message)
 *                | "{" ["!"] [keyGoType] "}" [go] type | "@" ["!" | "+"] definition | leaf [go] ["!"] ["(" enum {"|"
 *                enum} ")"]
 *   go         = "<" goType ">"      "!" marks an atomic map, struct or any, "+" a struct that is granular here
 *   definition = name with "~" for io.k8s.api. and "^" for io.k8s.apimachinery.pkg.apis.meta.
 */

const SCALARS: Readonly<Record<string, ScalarSchema['type']>> = {
  s: 'string',
  b: 'boolean',
  i: 'int32',
  l: 'int64',
  d: 'double',
  y: 'bytes',
  t: 'time',
  u: 'microTime',
  r: 'duration',
  q: 'quantity',
  o: 'intOrString',
};

/** Finds the shared node of a definition. */
export type Resolve = (definition: string, mapType?: 'atomic' | 'granular') => Schema;

/** What the head of a definition says. */
export interface Head {
  readonly goType: string;
  readonly protobuf: boolean;
  readonly atomic: boolean;
  readonly variant: boolean;
  readonly unions: NonNullable<StructSchema['unions']>;
}

/** Reads a definition's first part; `text` is the whole line. */
export function parseHead(text: string): Head {
  const end = text.indexOf(';');
  const [goType = '', ...rest] = (end < 0 ? text : text.slice(0, end)).split(' ');
  const flags = rest[0] !== undefined && !rest[0].startsWith('U=') ? rest[0] : '';
  const unions = rest
    .filter((part) => part.startsWith('U='))
    .map((part) => {
      const open = part.indexOf('(');
      const discriminator = part.slice(2, open);
      const fields = Object.fromEntries(
        part
          .slice(open + 1, -1)
          .split('|')
          .map((pair) => pair.split(':') as [string, string]),
      );
      return discriminator === '' ? { fields } : { discriminator, fields };
    });
  return { goType, protobuf: flags.includes('p'), atomic: flags.includes('!'), variant: flags.includes('v'), unions };
}

/** Reads a type expression. Equal texts should be memoized by the caller, so that nodes are shared. */
export function parseType(text: string, resolve: Resolve, parse: (text: string) => Schema): Schema {
  switch (text[0]) {
    case '*':
      return parse(text.slice(1));
    case '[':
      return parseList(text, parse);
    case '{':
      return parseMap(text, parse);
    case '@': {
      if (text[1] === '!') return resolve(expandName(text.slice(2)), 'atomic');
      return text[1] === '+' ? resolve(expandName(text.slice(2)), 'granular') : resolve(expandName(text.slice(1)));
    }
    default:
      return parseLeaf(text);
  }
}

function expandName(name: string): string {
  return name[0] === '~'
    ? `io.k8s.api.${name.slice(1)}`
    : name[0] === '^'
      ? `io.k8s.apimachinery.pkg.apis.meta.${name.slice(1)}`
      : name;
}

/** Splits a leading `<goType>` off. */
function takeGoType(text: string): { goType?: string; rest: string } {
  if (text[0] !== '<') return { rest: text };
  const end = text.indexOf('>');
  return { goType: text.slice(1, end), rest: text.slice(end + 1) };
}

function parseList(text: string, parse: (text: string) => Schema): ListSchema {
  const end = text.indexOf(']');
  const marker = text.slice(1, end);
  const { goType, rest } = takeGoType(text.slice(end + 1));
  const listType = marker === '' || marker === '&' ? 'atomic' : marker === '=' ? 'set' : 'map';
  const items = parse(rest);
  return {
    kind: 'list',
    items,
    listType,
    mapKeys: listType === 'map' ? marker.slice(1).split('+') : [],
    goType: goType ?? `[]${heldGoType(items, rest)}`,
    ...(marker === '&' ? { protobufWrapped: true } : {}),
  };
}

function parseMap(text: string, parse: (text: string) => Schema): Schema {
  const end = text.indexOf('}');
  const atomic = text[1] === '!';
  const key = text.slice(atomic ? 2 : 1, end);
  const { goType, rest } = takeGoType(text.slice(end + 1));
  const values = parse(rest);
  return {
    kind: 'map',
    values,
    mapType: atomic ? 'atomic' : 'granular',
    goType: goType ?? `map[${key === '' ? 'string' : key}]${heldGoType(values, rest)}`,
    ...(key === '' ? {} : { keyGoType: key }),
  };
}

function parseLeaf(text: string): Schema {
  const { goType, rest } = takeGoType(text.slice(1));
  const letter = text[0] ?? '';
  if (letter === 'j' || letter === 'x' || letter === 'f') {
    const mapType = rest.startsWith('!') ? 'atomic' : 'granular';
    const any: AnySchema =
      letter === 'j'
        ? { kind: 'any', mapType, goType: goType ?? 'interface {}' }
        : letter === 'x'
          ? { kind: 'any', mapType, rawExtension: true, goType: 'runtime.RawExtension' }
          : { kind: 'any', mapType, fieldsV1: true, goType: 'v1.FieldsV1' };
    return any;
  }
  const type = SCALARS[letter];
  if (type === undefined) throw new SchemaNotationError(text);
  const open = rest.indexOf('(');
  return {
    kind: 'scalar',
    type,
    ...(goType === undefined ? {} : { goType }),
    ...(open < 0 ? {} : { enum: rest.slice(open + 1, -1).split('|') }),
  };
}

function heldGoType(schema: Schema, text: string): string {
  return (text.startsWith('*') ? '*' : '') + goTypeOf(schema);
}

/** Embeds and fields of a definition, in Go order. */
export function parseMembers(
  text: string,
  parse: (text: string) => Schema,
): { fields: Map<string, Field>; embeds: NonNullable<StructSchema['embeds']> } {
  const fields = new Map<string, Field>();
  const embeds: NonNullable<StructSchema['embeds']>[number][] = [];
  const parts = text.split(';');
  for (let i = 1; i < parts.length; i++) {
    const words = (parts[i] ?? '').split(' ');
    if (words[0] === '!') {
      const [, name = '', type = '', ...rest] = words;
      const schema = parse(type);
      if (schema.kind !== 'struct') throw new SchemaNotationError(type);
      const number = rest.find((word) => /^\d+$/.test(word));
      embeds.push({
        name,
        schema,
        ...(number === undefined ? {} : { number: Number(number) }),
        ...(rest.includes('p') ? { pointer: true } : {}),
      });
      continue;
    }
    const field = parseField(words, embeds, parse);
    fields.set(field.name, field);
  }
  return { fields, embeds };
}

function parseField(
  words: readonly string[],
  embeds: NonNullable<StructSchema['embeds']>,
  parse: (text: string) => Schema,
): Field {
  const [name = '', type = '', ...attributes] = words;
  const field: { -readonly [K in keyof Field]: Field[K] } = { name, schema: parse(type), required: false };
  for (const attribute of attributes) {
    if (attribute[1] !== '=') {
      if (attribute >= '0' && attribute < ':') {
        field.number = Number(attribute);
        continue;
      }
      field.required = attribute.includes('r');
      const pointer = attribute.includes('p');
      if (pointer) field.pointer = true;
      if (!pointer && attribute.includes('o')) field.omitEmpty = true;
      continue;
    }
    const value = attribute.slice(2);
    switch (attribute[0]) {
      case 'd':
        field.default = JSON.parse(value);
        break;
      case 'z':
        field.zero = JSON.parse(value);
        break;
      case 's':
        field.patchStrategy = value.split('+') as NonNullable<Field['patchStrategy']>;
        break;
      case 'k':
        field.patchMergeKey = value;
        break;
      case 'e': {
        const embed = embeds[Number(value)];
        if (embed !== undefined) field.embedded = embed;
        break;
      }
      case 'g':
        field.goPath = value;
        break;
      default:
        throw new SchemaNotationError(attribute);
    }
  }
  // omitempty does nothing on Go structs: what has a zero to write is never left out.
  if (field.zero !== undefined) delete field.omitEmpty;
  return field;
}

/** The node of a hand-written union; its protobuf fields are those of the definition's line. */
export function variantNode(definition: string, head: Head, members: ReturnType<typeof parseMembers>): AnySchema {
  const name = head.goType.slice(head.goType.indexOf('.') + 1) as Variant['name'];
  const fields = [...members.fields.values()];
  const formOf = (kind: Schema['kind']): Field | undefined => fields.find((field) => field.schema.kind === kind);
  const object = formOf('struct'),
    list = formOf('list'),
    boolean = formOf('scalar');
  if (object?.schema.kind !== 'struct' || object.number === undefined) throw new SchemaNotationError(definition);
  return {
    kind: 'any',
    mapType: head.atomic ? 'atomic' : 'granular',
    goType: head.goType,
    variant: {
      name,
      object: object.schema,
      ...(list?.schema.kind === 'list' ? { list: list.schema } : {}),
      numbers: {
        object: object.number,
        ...(list?.number === undefined ? {} : { list: list.number }),
        ...(boolean?.number === undefined ? {} : { boolean: boolean.number }),
      },
    },
  };
}

/** `io.k8s.api.core.v1.Pod` → `k8s.io.api.core.v1.Pod`. */
export function protobufName(definition: string): string {
  return definition.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_');
}

/** The generated table is damaged, or newer than this code. */
export class SchemaNotationError extends Error {
  override readonly name = 'SchemaNotationError';
  constructor(text: string) {
    super(`cannot read schema notation ${JSON.stringify(text)}`);
  }
}
