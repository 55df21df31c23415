import { equalJSON, printed } from '@kubechain/apimachinery';
import type { JSONValue } from '@kubechain/apimachinery';
import type { CRDNames, CRDVersion } from '../definition/crd-types.ts';

export type Subresources = NonNullable<CRDVersion['subresources']>;
export type VersionSchema = NonNullable<CRDVersion['schema']>;
export type PrinterColumn = NonNullable<CRDVersion['additionalPrinterColumns']>[number];
export type SelectableField = NonNullable<CRDVersion['selectableFields']>[number];

/** A service that conversion webhooks are called at. */
export interface ServiceReference {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
}

export interface Conversion {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: { readonly url?: string; readonly service?: ServiceReference; readonly caBundle?: string };
    readonly conversionReviewVersions?: readonly string[];
  };
}

/** A CRD's spec as it is written, before anything about it is known to be right. */
export interface WrittenSpec {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: Partial<CRDNames>;
  readonly versions?: readonly Partial<CRDVersion>[];
  readonly conversion?: Conversion;
  readonly preserveUnknownFields?: boolean;
}

/**
 * A spec in the form that the reference validates, and that its field paths speak of: what all versions have in
 * common stands at the top (`spec.validation`) and not in the versions (v1/conversion.go, 1.36).
 */
export interface InternalSpec {
  readonly group: string;
  readonly version: string;
  readonly scope: string;
  readonly names: Partial<CRDNames>;
  readonly validation: VersionSchema | undefined;
  readonly subresources: Subresources | undefined;
  readonly additionalPrinterColumns: readonly PrinterColumn[];
  readonly selectableFields: readonly SelectableField[];
  readonly versions: readonly InternalVersion[];
  /** Whether there was a list of versions at all. */
  readonly hasVersions: boolean;
  readonly conversion: Conversion | undefined;
  readonly preserveUnknownFields: boolean | undefined;
}

export interface InternalVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
  readonly schema: VersionSchema | undefined;
  readonly subresources: Subresources | undefined;
  readonly additionalPrinterColumns: readonly PrinterColumn[] | null;
  readonly selectableFields: readonly SelectableField[] | null;
}

/** Lifts what all versions have in common. */
export function toInternalSpec(spec: WrittenSpec): InternalSpec {
  const versions = spec.versions ?? [];
  const [first] = versions;
  const same = <T>(read: (version: Partial<CRDVersion>) => T): boolean =>
    first !== undefined && versions.every((version) => equal(read(version), read(first)));
  const schemas = same((version) => version.schema);
  const subresources = same((version) => version.subresources);
  const columns = same((version) => version.additionalPrinterColumns ?? []);
  const selectable = same((version) => version.selectableFields ?? []);
  return {
    group: spec.group ?? '',
    version: first?.name ?? '',
    scope: spec.scope ?? '',
    names: spec.names ?? {},
    validation: schemas ? first?.schema : undefined,
    subresources: subresources ? first?.subresources : undefined,
    additionalPrinterColumns: columns ? (first?.additionalPrinterColumns ?? []) : [],
    selectableFields: selectable ? (first?.selectableFields ?? []) : [],
    versions: versions.map((version) => ({
      name: version.name ?? '',
      served: version.served === true,
      storage: version.storage === true,
      deprecated: version.deprecated === true,
      deprecationWarning: version.deprecationWarning,
      schema: schemas ? undefined : version.schema,
      subresources: subresources ? undefined : version.subresources,
      additionalPrinterColumns: columns ? null : printed(version, 'additionalPrinterColumns'),
      selectableFields: selectable ? null : printed(version, 'selectableFields'),
    })),
    hasVersions: (spec.versions ?? null) !== null,
    conversion: spec.conversion,
    preserveUnknownFields: spec.preserveUnknownFields,
  };
}

/** The schema of a version, wherever it stands. */
export function schemaOfVersion(spec: InternalSpec, name: string): VersionSchema | undefined {
  return spec.validation ?? spec.versions.find((version) => version.name === name)?.schema;
}

/** Deep equality of plain JSON; both absent counts as equal. */
export function equal(a: unknown, b: unknown): boolean {
  return equalJSON((a ?? null) as JSONValue, (b ?? null) as JSONValue);
}
