import { builtinRelease, goQuote } from '@kubechain/apimachinery';
import type { KubeObject, ReleaseAge } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { knownFormats } from '../schema/known-formats.ts';
import { forEachSchema } from '../schema/walk.ts';
import { supportedFormat } from '../values/validator.ts';
import { toInternalSpec } from './internal-spec.ts';
import type { WrittenSpec } from './internal-spec.ts';

/** Warnings about formats that are not checked; on update, about those that were not there before. */
export function formatWarnings(crd: KubeObject, old?: KubeObject, release: ReleaseAge = builtinRelease): string[] {
  const known = new Set(old === undefined ? [] : unrecognizedFormats(old, release));
  return unrecognizedFormats(crd, release)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}

function unrecognizedFormats(crd: KubeObject, release: ReleaseAge): string[] {
  const hasFormat = knownFormats(release);
  const spec = toInternalSpec((crd['spec'] ?? {}) as WrittenSpec);
  const found: string[] = [];
  for (const root of [spec.validation, ...spec.versions.map((version) => version.schema)]) {
    if (root?.openAPIV3Schema !== undefined)
      forEachSchema(root.openAPIV3Schema, (schema) => {
        // Those of other types than texts were not told of.
        if (hasFormat !== undefined && (schema.type ?? 'string') !== 'string') return;
        if (isUnrecognized(schema) || (schema.format !== undefined && hasFormat?.(schema) === false))
          found.push(schema.format ?? '');
      });
  }
  return found;
}

function isUnrecognized({ format = '', type = '' }: JSONSchemaProps): boolean {
  return format !== '' && supportedFormat(format, type === '' ? [] : [type]) === '';
}
