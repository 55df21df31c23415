import type { KubeObject } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver';
import { isDeepStrictEqual } from 'node:util';
import { storageVersionOf } from './crd-types.ts';
import type { CustomResourceDefinition } from './crd-types.ts';

/** CustomResourceDefinitions: status is the server's, and remembers each version that objects may be stored in (pkg/registry/customresourcedefinition/strategy.go, 1.36). */
export const customResourceDefinitionStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  resetFields: ['status'],
  prepareForCreate(object) {
    const crd = object as CustomResourceDefinition;
    crd.metadata.generation = 1;
    crd.status = { storedVersions: [storageVersionOf(crd)] };
  },
  prepareForUpdate(object, old) {
    const crd = object as CustomResourceDefinition;
    const before = old as CustomResourceDefinition;
    crd.status = structuredClone(before.status ?? {});
    const stored = crd.status.storedVersions ?? [];
    const storage = storageVersionOf(crd);
    if (!stored.includes(storage)) crd.status.storedVersions = [...stored, storage];
    crd.metadata.generation = (before.metadata.generation ?? 0) + (isDeepStrictEqual(crd.spec, before.spec) ? 0 : 1);
  },
};

/** The status endpoint: everything else stays as it is. */
export const customResourceDefinitionStatusStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  resetFields: ['metadata', 'spec'],
  prepareForUpdate(object, old) {
    object['spec'] = old['spec'];
    const { managedFields, resourceVersion } = object.metadata ?? {};
    object.metadata = { ...old.metadata, ...(managedFields === undefined ? {} : { managedFields }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  },
};

/** What decoding sets in a CRD that its schema does not say (pkg/apis/apiextensions/v1/defaults.go, 1.36). */
export function defaultCustomResourceDefinition(object: KubeObject): void {
  const spec = object['spec'] as { names?: { kind?: string; singular?: string; listKind?: string }; conversion?: { strategy?: string } } | undefined;
  if (spec === undefined) return;
  const names = spec.names;
  if (names !== undefined) {
    if ((names.singular ?? '') === '') names.singular = (names.kind ?? '').toLowerCase();
    if ((names.listKind ?? '') === '' && (names.kind ?? '') !== '') names.listKind = `${names.kind}List`;
  }
  spec.conversion ??= { strategy: 'None' };
}
