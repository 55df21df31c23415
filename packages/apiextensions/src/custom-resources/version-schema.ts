import { DecodeError, isFormatError, structuralSchema, unclassifiedError } from '@kubechain/apimachinery';
import type { GroupVersionKind, KubeObject, StructSchema } from '@kubechain/apimachinery';
import type { CRDVersion, CustomResourceDefinition } from '../definition/crd-types.ts';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { keepingUnknown } from '../schema/keeping-unknown.ts';
import { withoutWords } from '../schema/without-words.ts';
import type { HasFormat } from '../schema/without-words.ts';
import { CustomValues } from '../values/custom-values.ts';
import type { DefaultsOptions } from '../values/default.ts';
import type { PartsInUse, Releasable } from './parts-in-use.ts';

export interface CoerceOptions {
  /** Returns the paths of unknown fields. */
  readonly trackUnknown?: boolean;
  /**
   * The object comes from storage: malformed metadata is dropped, and a generation that very old objects lack is set.
   */
  readonly stored?: boolean;
}

/**
 * One version of a CRD as its objects are read by it. Nothing is made of its schema before the first object; it is made
 * again after {@link VersionSchemas.release}.
 */
export class VersionSchema {
  readonly gvk: GroupVersionKind;
  readonly apiVersion: string;
  /** Without the schema; see {@link props}. */
  readonly version: CRDVersion;
  /** Objects that apply has merged, which may hold what the schema has no place for ({@link coerceMerged}). */
  readonly merged = new WeakMap<KubeObject, { readonly metadataProblem: string | undefined }>();
  readonly #read: () => JSONSchemaProps | undefined;
  #values: CustomValues | undefined;
  #structural: StructSchema | undefined;

  /** `read` tells the version's schema, the same object until {@link release}. */
  constructor(crd: CustomResourceDefinition, version: CRDVersion, read: () => JSONSchemaProps | undefined) {
    this.version = version;
    this.gvk = {
      group: crd.spec.group,
      version: version.name,
      kind: crd.status?.acceptedNames?.kind ?? crd.spec.names.kind,
    };
    this.apiVersion = `${crd.spec.group}/${version.name}`;
    this.#read = read;
  }

  /** The schema without its words; undefined where the version has none. */
  get props(): JSONSchemaProps | undefined {
    return this.#read();
  }

  /** Rules for values. */
  get values(): CustomValues {
    const props = this.#read();
    return (this.#values ??= CustomValues.of(props));
  }

  /** As decoding, apply and encoding see it. */
  get structural(): StructSchema {
    const props = this.#read();
    return (this.#structural ??= structuralSchema(props));
  }

  release(): void {
    this.#values = undefined;
    this.#structural = undefined;
  }

  /** Whether an object is one of this kind and version. Bodies may hold others (options, wrong kinds). */
  describes(object: KubeObject): boolean {
    return object.apiVersion === this.apiVersion && object.kind === this.gvk.kind;
  }

  /**
   * Prunes and makes metadata canonical, in place; objects of another kind only have their metadata read.
   * @throws DecodeError `InvalidValue`
   */
  coerce(object: KubeObject, { trackUnknown = false, stored = false }: CoerceOptions = {}): string[] {
    try {
      const values = this.describes(object) ? this.values : CustomValues.of();
      const unknown = values.coerce(object, { dropInvalidMetadata: stored, unknownFields: trackUnknown });
      if (stored && object.metadata !== undefined && (object.metadata.generation ?? 0) === 0)
        object.metadata.generation = 1;
      return unknown;
    } catch (error) {
      throw isFormatError(error)
        ? new DecodeError('InvalidValue', error.message, {
            gvk: this.#namedBy(object),
            cause: error,
          })
        : error;
    }
  }

  /** The kind and version that an object names, whatever they are; those of this schema where it names none as text. */
  #namedBy(object: KubeObject): GroupVersionKind {
    const apiVersion: unknown = object.apiVersion ?? '';
    const kind: unknown = object.kind;
    return {
      group: this.gvk.group,
      version: typeof apiVersion === 'string' ? apiVersion.slice(apiVersion.indexOf('/') + 1) : this.gvk.version,
      kind: typeof kind === 'string' ? kind : this.gvk.kind,
    };
  }

  /**
   * Apply has merged this object: it is validated as it is, and loses when it is stored what the schema knows not.
   * `metadataProblem`: Go's text of what was wrong with the metadata that was applied.
   */
  noteMerged(object: KubeObject, metadataProblem: string | undefined): void {
    this.merged.set(object, { metadataProblem });
  }

  /** Malformed metadata that was applied keeps an object from being converted. @throws StatusError 500 */
  refuseMalformed(object: KubeObject): void {
    const problem = this.merged.get(object)?.metadataProblem;
    if (problem !== undefined) throw unclassifiedError(problem);
  }

  /** Makes an object that apply has merged what is stored of it, in place; all others were read by the schema. */
  coerceMerged(object: KubeObject): void {
    if (this.merged.delete(object)) this.coerce(object, { stored: true });
  }

  /**
   * Sets the schema's defaults, in place.
   * @returns the bytes of what was set, as JSON
   * @throws StatusError 413, or Error with `stored`, where they are too many or too large
   */
  applyDefaults(object: KubeObject, options?: DefaultsOptions): number {
    return this.describes(object) ? this.values.applyDefaults(object, options) : 0;
  }
}

/** All versions of a CRD, by apiVersion, in the CRD's order. What is made of their schemas is kept while it is used. */
export class VersionSchemas implements Releasable {
  readonly byVersion: ReadonlyMap<string, VersionSchema>;
  readonly #whole: () => CustomResourceDefinition;
  readonly #inUse: PartsInUse | undefined;
  readonly #hasFormat: HasFormat | undefined;
  #props: ReadonlyMap<string, JSONSchemaProps | undefined> | undefined;

  /** `whole` reads the CRD with its schemas. */
  constructor(
    crd: CustomResourceDefinition,
    whole: () => CustomResourceDefinition,
    { hasFormat, inUse }: { readonly inUse?: PartsInUse; readonly hasFormat?: HasFormat | undefined } = {},
  ) {
    this.#whole = whole;
    this.#inUse = inUse;
    this.#hasFormat = hasFormat;
    this.byVersion = new Map(
      crd.spec.versions.map((version) => {
        const schema = new VersionSchema(crd, version, () => this.#read(version.name));
        return [schema.apiVersion, schema];
      }),
    );
  }

  release(): void {
    this.#props = undefined;
    for (const schema of this.byVersion.values()) schema.release();
  }

  /** Nobody will use it any more. */
  close(): void {
    this.#inUse?.forget(this);
    this.release();
  }

  #read(version: string): JSONSchemaProps | undefined {
    this.#inUse?.use(this);
    this.#props ??= propsOf(this.#whole().spec, this.#hasFormat);
    return this.#props.get(version);
  }
}

/** The schemas of versions without their words. Those of a CRD of old that preserves unknown fields do so everywhere. */
function propsOf(
  { preserveUnknownFields = false, versions }: CustomResourceDefinition['spec'],
  hasFormat: HasFormat | undefined,
): ReadonlyMap<string, JSONSchemaProps | undefined> {
  return new Map(
    versions.map(({ name, schema }) => {
      if (schema?.openAPIV3Schema === undefined) return [name, undefined];
      const props = withoutWords(schema.openAPIV3Schema, hasFormat);
      return [name, preserveUnknownFields ? keepingUnknown(props) : props];
    }),
  );
}
