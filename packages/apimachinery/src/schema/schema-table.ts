import type { Embed, Field, Schema, StructSchema } from './schema.ts';
import { parseHead, parseMembers, parseType, protobufName, variantNode } from './notation.ts';
import type { Head } from './notation.ts';

/** The schemas of one release's definitions; each is built on first use, then shared. */
export class SchemaTable {
  readonly #definitions: ReadonlyMap<string, string>;
  readonly #nodes = new Map<string, Schema>();
  readonly #types = new Map<string, Schema>();

  /** @param definitions notation (notation.ts) by definition name */
  constructor(definitions: ReadonlyMap<string, string>) {
    this.#definitions = definitions;
  }

  /** @throws UnknownDefinitionError when the table does not have it */
  readonly schemaFor = (definition: string): Schema => this.#resolve(definition);

  /** All definition names. */
  names(): Iterable<string> {
    return this.#definitions.keys();
  }

  readonly #resolve = (definition: string, mapType?: 'atomic' | 'granular'): Schema => {
    const key = mapType === undefined ? definition : `${mapType} ${definition}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const text = this.#definitions.get(definition);
    if (text === undefined) throw new UnknownDefinitionError(definition);
    const head = parseHead(text);
    const node = head.variant
      ? variantNode(definition, head, parseMembers(text, this.#shared))
      : new BuiltinStruct(
          definition,
          { text, head: mapType === undefined ? head : { ...head, atomic: mapType === 'atomic' } },
          this.#shared,
        );
    this.#nodes.set(key, node);
    return node;
  };

  readonly #shared = (text: string): Schema => {
    let node = this.#types.get(text);
    if (node === undefined) this.#types.set(text, (node = parseType(text, this.#resolve, this.#shared)));
    return node;
  };
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
  readonly #shared: (text: string) => Schema;
  #members: { fields: Map<string, Field>; embeds: readonly Embed[] } | undefined;

  constructor(
    name: string,
    { head, text }: { readonly head: Head; readonly text: string },
    shared: (text: string) => Schema,
  ) {
    this.name = name;
    this.goType = head.goType;
    this.mapType = head.atomic ? 'atomic' : 'granular';
    if (head.unions.length > 0) this.unions = head.unions;
    if (head.protobuf) this.protobufMessage = protobufName(name);
    this.#text = text;
    this.#shared = shared;
  }

  get fields(): ReadonlyMap<string, Field> {
    return (this.#members ??= parseMembers(this.#text, this.#shared)).fields;
  }
  get embeds(): readonly Embed[] {
    return (this.#members ??= parseMembers(this.#text, this.#shared)).embeds;
  }
}

/** A definition name that no generated table has: a programming error, not a user's. */
export class UnknownDefinitionError extends Error {
  override readonly name = 'UnknownDefinitionError';
  constructor(definition: string) {
    super(`no schema definition ${JSON.stringify(definition)}`);
  }
}
