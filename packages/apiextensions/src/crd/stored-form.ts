import { builtinScheme } from '@kubechain/apimachinery';
import type { GroupVersion, KubeObject, Scheme } from '@kubechain/apimachinery';
import { isDeepStrictEqual } from 'node:util';
import { defaultCustomResourceDefinition } from './strategy.ts';

const group = 'apiextensions.k8s.io';

/** What may stand once for all versions in v1beta1: its name there, and in a version of v1. */
const shared = [
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

type Fields = Record<string, unknown>;

/**
 * The built-in scheme with conversions of CustomResourceDefinitions: the reference stores them as v1beta1, which
 * needs less room, since what all versions have in common stands there once (pkg/apis/apiextensions/v1/conversion.go,
 * 1.36).
 */
export function crdScheme(): Scheme {
  const scheme = builtinScheme().withDefaulters([
    { gvk: { group, version: 'v1', kind: 'CustomResourceDefinition' }, apply: defaultCustomResourceDefinition },
  ]);
  return {
    kind: (gvk) => scheme.kind(gvk),
    versions: (name) => scheme.versions(name),
    kinds: () => scheme.kinds(),
    applyDefaults: (object) => {
      scheme.applyDefaults(object);
    },
    convert: (object, target) =>
      object.kind === 'CustomResourceDefinition' ? convert(object, target) : scheme.convert(object, target),
  };
}

function convert(object: KubeObject, target: GroupVersion): KubeObject {
  const apiVersion = `${group}/${target.version}`;
  if (object.apiVersion === apiVersion || object['spec'] === undefined) return { ...object, apiVersion };
  const spec = object['spec'] as Fields;
  return { ...object, apiVersion, spec: target.version === 'v1beta1' ? toV1beta1(spec) : toV1(spec) };
}

function toV1beta1(spec: Fields): Fields {
  const { conversion, versions: written, ...rest } = spec;
  const versions = ((written ?? []) as Fields[]).map(
    (version) => ({ ...version, ...renamedColumns(version, 'jsonPath', 'JSONPath') }) as Fields,
  );
  const out: Fields = {
    ...rest,
    version: versions[0]?.['name'] ?? '',
    versions,
    conversion: toV1beta1Conversion(conversion as Fields | undefined),
    preserveUnknownFields: spec['preserveUnknownFields'] ?? false,
  };
  for (const [common, own] of shared) {
    const first = versions[0]?.[own];
    if (
      versions.length === 0 ||
      !versions.every((version) => isDeepStrictEqual(orNothing(version[own]), orNothing(first)))
    )
      continue;
    if (first !== undefined) out[common] = first;
    for (const version of versions) delete version[own];
  }
  return out;
}

function toV1(spec: Fields): Fields {
  const {
    additionalPrinterColumns,
    conversion,
    selectableFields,
    subresources,
    validation,
    version,
    versions: written,
    ...rest
  } = spec;
  const common: Fields = { validation, subresources, additionalPrinterColumns, selectableFields };
  const stored = (written ?? []) as Fields[];
  const versions =
    stored.length === 0 && typeof version === 'string' && version !== ''
      ? [{ name: version, served: true, storage: true }]
      : stored;
  return {
    ...rest,
    // What the two versions do not default alike: nothing of this was lost when v1beta1 was what clients wrote.
    scope: rest['scope'] ?? 'Namespaced',
    preserveUnknownFields: rest['preserveUnknownFields'] ?? true,
    conversion: toV1Conversion(conversion as Fields | undefined),
    versions: versions.map((own: Fields) => {
      const out = { ...own };
      for (const [from, to] of shared) if (common[from] !== undefined) out[to] = common[from];
      return { ...out, ...renamedColumns(out, 'JSONPath', 'jsonPath') };
    }),
  };
}

function toV1beta1Conversion(conversion: Fields | undefined): Fields | undefined {
  if (conversion === undefined) return undefined;
  const { webhook, ...rest } = conversion;
  const { clientConfig, conversionReviewVersions } = (webhook ?? {}) as Fields;
  return {
    ...rest,
    ...(clientConfig === undefined ? {} : { webhookClientConfig: clientConfig }),
    // Go leaves an empty list out, and with it a webhook of nothing else.
    ...(Array.isArray(conversionReviewVersions) && conversionReviewVersions.length > 0
      ? { conversionReviewVersions }
      : {}),
  };
}

function toV1Conversion(conversion: Fields | undefined): Fields | undefined {
  if (conversion === undefined) return undefined;
  const { conversionReviewVersions, webhookClientConfig: clientConfig, ...rest } = conversion;
  if (clientConfig === undefined && conversionReviewVersions === undefined) return rest;
  return {
    ...rest,
    webhook: {
      ...(clientConfig === undefined ? {} : { clientConfig }),
      conversionReviewVersions: conversionReviewVersions ?? null,
    },
  };
}

/** Printer columns with the other spelling of their path. */
function renamedColumns(version: Fields, from: string, to: string): Fields {
  const columns = version['additionalPrinterColumns'] as readonly Fields[] | undefined;
  if (columns === undefined || columns === null) return {};
  return {
    additionalPrinterColumns: columns.map(({ [from]: path, ...column }) =>
      path === undefined ? column : { ...column, [to]: path },
    ),
  };
}

/** Empty and absent are the same to the reference. */
function orNothing(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
