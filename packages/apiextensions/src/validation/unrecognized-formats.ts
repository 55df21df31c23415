import { goQuote } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { schemasIn } from '../schema/walk.ts';
import { supportedFormat } from '../values/validator.ts';
import { toInternalSpec } from './internal-spec.ts';
import type { WrittenSpec } from './internal-spec.ts';

/** Warnings about formats that are not checked; on update, about those that were not there before. */
export function formatWarnings(crd: KubeObject, old?: KubeObject): string[] {
  const known = new Set(old === undefined ? [] : unrecognizedFormats(old));
  return unrecognizedFormats(crd).filter((format) => !known.has(format)).map((format) => `unrecognized format ${goQuote(format)}`);
}

function unrecognizedFormats(crd: KubeObject): string[] {
  const spec = toInternalSpec((crd['spec'] ?? {}) as WrittenSpec);
  const roots = [spec.validation, ...spec.versions.map((version) => version.schema)];
  return roots.flatMap((root) => (root?.openAPIV3Schema === undefined ? [] : [...schemasIn(root.openAPIV3Schema)].flatMap(unrecognized)));
}

function unrecognized(props: JSONSchemaProps): string[] {
  const format = props.format ?? '';
  return format === '' || supportedFormat(format, (props.type ?? '') === '' ? [] : [props.type ?? '']) !== '' ? [] : [format];
}
