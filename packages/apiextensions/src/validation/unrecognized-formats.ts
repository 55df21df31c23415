import { goQuote } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { forEachSchema } from '../schema/walk.ts';
import { supportedFormat } from '../values/validator.ts';
import { toInternalSpec } from './internal-spec.ts';
import type { WrittenSpec } from './internal-spec.ts';

/** Warnings about formats that are not checked; on update, about those that were not there before. */
export function formatWarnings(crd: KubeObject, old?: KubeObject): string[] {
  const known = new Set(old === undefined ? [] : unrecognizedFormats(old));
  return unrecognizedFormats(crd)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}

function unrecognizedFormats(crd: KubeObject): string[] {
  const spec = toInternalSpec((crd['spec'] ?? {}) as WrittenSpec);
  const found: string[] = [];
  for (const root of [spec.validation, ...spec.versions.map((version) => version.schema)]) {
    if (root?.openAPIV3Schema !== undefined)
      forEachSchema(root.openAPIV3Schema, (schema) => {
        if (isUnrecognized(schema)) found.push(schema.format ?? '');
      });
  }
  return found;
}

function isUnrecognized({ format = '', type = '' }: JSONSchemaProps): boolean {
  return format !== '' && supportedFormat(format, type === '' ? [] : [type]) === '';
}
