import table from '../generated/schemas.json' with { type: 'json' };
import type { Embed, Field, Schema, StructSchema } from './schema.ts';
import { parseHead, parseMembers, parseType, protobufName, variantNode } from './notation.ts';
import type { Head } from './notation.ts';

const definitions = new Map<string, string>(Object.entries(table.definitions));
const nodes = new Map<string, Schema>();
const types = new Map<string, Schema>();

/**
 * The schema of a built-in definition, e.g. `io.k8s.api.core.v1.Pod`; built on first use, then shared.
 *
 * @throws UnknownDefinitionError when no table has it
 */
export function schemaFor(definition: string): Schema {
  return resolve(definition);
}

/** All built-in definition names. */
export function definitionNames(): Iterable<string> {
  return definitions.keys();
}

function resolve(definition: string, mapType?: 'atomic' | 'granular'): Schema {
  const key = mapType === undefined ? definition : `${mapType} ${definition}`;
  const known = nodes.get(key);
  if (known !== undefined) return known;
  const text = definitions.get(definition);
  if (text === undefined) throw new UnknownDefinitionError(definition);
  const head = parseHead(text);
  const node = head.variant
    ? variantNode(definition, head, parseMembers(text, shared))
    : new BuiltinStruct(definition, text, mapType === undefined ? head : { ...head, atomic: mapType === 'atomic' });
  nodes.set(key, node);
  return node;
}

function shared(text: string): Schema {
  let node = types.get(text);
  if (node === undefined) types.set(text, (node = parseType(text, resolve, shared)));
  return node;
}

/**
 * A struct whose members are read from the table when first asked for: the graph has cycles, and most of it is never
 * used.
 */
class BuiltinStruct implements StructSchema {
  readonly kind = 'struct';
  readonly name: string;
  readonly goType: string;
  readonly mapType: 'granular' | 'atomic';
  declare readonly unions?: NonNullable<StructSchema['unions']>;
  declare readonly protobufMessage?: string;
  readonly #text: string;
  #members: { fields: Map<string, Field>; embeds: readonly Embed[] } | undefined;

  constructor(name: string, text: string, head: Head) {
    this.name = name;
    this.goType = head.goType;
    this.mapType = head.atomic ? 'atomic' : 'granular';
    if (head.unions.length > 0) this.unions = head.unions;
    if (head.protobuf) this.protobufMessage = protobufName(name);
    this.#text = text;
  }

  get fields(): ReadonlyMap<string, Field> {
    return (this.#members ??= parseMembers(this.#text, shared)).fields;
  }
  get embeds(): readonly Embed[] {
    return (this.#members ??= parseMembers(this.#text, shared)).embeds;
  }
}

/** A definition name that no generated table has: a programming error, not a user's. */
export class UnknownDefinitionError extends Error {
  override readonly name = 'UnknownDefinitionError';
  constructor(definition: string) {
    super(`no schema definition ${JSON.stringify(definition)}`);
  }
}
