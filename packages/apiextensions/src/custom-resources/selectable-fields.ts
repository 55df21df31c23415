import type { KubeObject } from '@kubechain/apimachinery';
import type { CRDVersion } from '../definition/crd-types.ts';
import { JSONPath } from '../schema/json-path.ts';

/** Field name in selectors (`spec.color`) → how it is read off an object; '' where it is missing. */
export type FieldReaders = ReadonlyMap<string, (object: KubeObject) => string>;

/** The fields that a version's objects can be selected by besides name and namespace. */
export function selectableFields(version: CRDVersion): FieldReaders {
  return new Map(
    (version.selectableFields ?? []).map(({ jsonPath }) => {
      const path = JSONPath.parse(jsonPath);
      return [jsonPath.replace(/^\./, ''), (object: KubeObject) => textOf(path.first(object))];
    }),
  );
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return '';
  }
}
