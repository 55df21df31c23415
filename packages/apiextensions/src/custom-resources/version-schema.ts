import { DecodeError, isFormatError, structuralSchema } from '@kubechain/apimachinery';
import type { GroupVersionKind, KubeObject, StructSchema } from '@kubechain/apimachinery';
import type { CRDVersion, CustomResourceDefinition } from '../crd/crd-types.ts';
import { CustomValues } from '../values/custom-values.ts';

export interface CoerceOptions {
  /** Returns the paths of unknown fields. */
  readonly trackUnknown?: boolean;
  /** The object comes from storage: malformed metadata is dropped, and a generation that very old objects lack is set. */
  readonly stored?: boolean;
}

/** One version of a CRD as its objects are read by it. Nothing is compiled before the first object. */
export class VersionSchema {
  readonly gvk: GroupVersionKind;
  readonly apiVersion: string;
  readonly version: CRDVersion;
  readonly #keepsUnknown: boolean;
  #values: CustomValues | undefined;
  #structural: StructSchema | undefined;

  constructor(crd: CustomResourceDefinition, version: CRDVersion) {
    this.version = version;
    this.gvk = { group: crd.spec.group, version: version.name, kind: crd.status?.acceptedNames?.kind ?? crd.spec.names.kind };
    this.apiVersion = `${crd.spec.group}/${version.name}`;
    this.#keepsUnknown = crd.spec.preserveUnknownFields === true;
  }

  /** Rules for values. A CRD of old that preserves unknown fields counts as one without a schema. */
  get values(): CustomValues {
    return this.#values ??= CustomValues.of(this.#keepsUnknown ? undefined : this.version.schema?.openAPIV3Schema);
  }

  /** As decoding, apply and encoding see it. */
  get structural(): StructSchema {
    return this.#structural ??= structuralSchema(this.version.schema?.openAPIV3Schema);
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
      if (stored && object.metadata !== undefined && (object.metadata.generation ?? 0) === 0) object.metadata.generation = 1;
      return unknown;
    } catch (error) {
      throw isFormatError(error) ? new DecodeError('InvalidValue', error.message, { gvk: this.gvk, cause: error }) : error;
    }
  }

  /** Sets the schema's defaults, in place. */
  applyDefaults(object: KubeObject): void {
    if (this.describes(object)) this.values.applyDefaults(object);
  }
}

/** All versions of a CRD, by apiVersion, in the CRD's order. */
export function versionSchemas(crd: CustomResourceDefinition): ReadonlyMap<string, VersionSchema> {
  return new Map(crd.spec.versions.map((version) => {
    const schema = new VersionSchema(crd, version);
    return [schema.apiVersion, schema];
  }));
}
