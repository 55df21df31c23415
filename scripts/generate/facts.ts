import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One field of a Go struct as scripts/extract-go-types.ts found it; absent members mean "no". */
export interface GoField {
  /** JSON name; absent on embedded structs. */
  readonly n?: string;
  /** Type in schema notation. */
  readonly t: string;
  /** Protobuf field number. */
  readonly num?: number;
  /** omitempty */
  readonly o?: 1;
  /** omitzero */
  readonly oz?: 1;
  readonly req?: 1;
  /** +default marker, JSON. */
  readonly def?: string;
  readonly list?: string;
  readonly keys?: readonly string[];
  readonly map?: string;
  readonly ps?: string;
  readonly pk?: string;
  /** Go name of the embedded struct. */
  readonly emb?: string;
}

export interface GoStruct {
  readonly go: string;
  readonly fields: readonly GoField[];
  readonly map?: string;
}

/** scripts/facts/go-types.json */
export interface GoFacts {
  readonly kinds: readonly (readonly [group: string, version: string, kind: string, definition: string])[];
  readonly packages: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, GoStruct>>;
}

/** One OpenAPI v3 schema node, as far as the generator reads it. */
export interface OpenAPISchema {
  /** In recorded facts of schemas there is none. */
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly OpenAPISchema[];
  readonly items?: OpenAPISchema;
  readonly additionalProperties?: OpenAPISchema;
  readonly properties?: Readonly<Record<string, OpenAPISchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-unions'?: readonly {
    readonly discriminator?: string;
    readonly 'fields-to-discriminateBy'?: Readonly<Record<string, string>>;
  }[];
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

export type ProtobufFacts = Readonly<
  Record<
    string,
    Readonly<Record<string, { readonly number: number; readonly type: string; readonly repeated?: boolean }>>
  >
>;

/** Parses one JSON file of the facts folder. */
export function readFacts<T>(folder: string, file: string): T {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;
}

/** The facts of one release with types beside them that it does not have any more. */
export function withRemovedTypes(facts: GoFacts, removed: GoFacts): GoFacts {
  return {
    kinds: [...facts.kinds, ...removed.kinds],
    packages: { ...facts.packages, ...removed.packages },
    types: { ...facts.types, ...removed.types },
  };
}

/** Their protobuf messages, which no server describes any more: numbers are in the tags of the Go types. */
export function messagesOf(removed: GoFacts): ProtobufFacts {
  return Object.fromEntries(
    Object.entries(removed.types).map(([definition, { fields }]) => [
      definition.replace(/^io\.k8s\./, 'k8s.io.'),
      Object.fromEntries(
        fields.flatMap(({ n, num, t }) =>
          n === undefined || num === undefined
            ? []
            : [[n, { number: num, type: 'message', ...(t.startsWith('[]') ? { repeated: true } : {}) }]],
        ),
      ),
    ]),
  );
}
