import { goQuote } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { itemsOf } from '../schema/json-schema-props.ts';
import { forEachSchema } from '../schema/walk.ts';
import { toInternalSpec } from './internal-spec.ts';
import type { WrittenSpec } from './internal-spec.ts';

/**
 * Warnings about sets of what is no scalar, of which neither server-side apply nor rules know when two are the same;
 * on update, about those that were not there before (pkg/registry/customresourcedefinition/strategy.go, since 1.37).
 */
export function setWarnings(crd: KubeObject, old?: KubeObject): string[] {
  const known = new Set(old === undefined ? [] : itemTypes(old));
  return [...new Set(itemTypes(crd))]
    .toSorted()
    .filter((type) => !known.has(type))
    .map(
      (type) =>
        `x-kubernetes-list-type: set for items of type ${goQuote(type)} is not supported by server-side apply or ` +
        'CEL validation rules',
    );
}

/** Types of items of all sets that are no scalars. */
function itemTypes(crd: KubeObject): string[] {
  const spec = toInternalSpec((crd['spec'] ?? {}) as WrittenSpec);
  const found: string[] = [];
  for (const root of [spec.validation, ...spec.versions.map((version) => version.schema)])
    if (root?.openAPIV3Schema !== undefined)
      forEachSchema(root.openAPIV3Schema, (schema) => {
        const type = schema['x-kubernetes-list-type'] === 'set' ? itemsOf(schema)?.type : undefined;
        if (type === 'object' || type === 'array') found.push(type);
      });
  return found;
}
