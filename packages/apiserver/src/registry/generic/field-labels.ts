import { badRequest } from '@kubechain/apimachinery';
import { unknownFieldLabel } from '../rest/field-label.ts';
import type { FieldTerm } from '../rest/storage.ts';
import type { ResourceSpec } from './resource-spec.ts';

/**
 * Accepts the fields that a resource can be selected by: metadata.name, metadata.namespace and the spec's own.
 * @throws StatusError BadRequest for any other, in the reference's words
 */
export function convertFieldLabel(
  spec: ResourceSpec,
  { label, value, version }: FieldTerm,
): readonly [label: string, value: string] {
  // Kinds with fields of their own know metadata.namespace only where it means something.
  if (label === 'metadata.name' || (label === 'metadata.namespace' && (spec.namespaced || spec.fields === undefined)))
    return [label, value];
  const alias = spec.fieldLabelAliases?.[label];
  if (alias !== undefined) return [alias, value];
  if (spec.fields !== undefined && Object.hasOwn(spec.fields, label)) return [label, value];
  throw badRequest(
    spec.fieldLabelError?.(label, version) ??
      (spec.fields === undefined ? unknownFieldLabel(label) : `field label not supported: ${label}`),
  );
}
