import type { CustomResourceOpenAPI } from '@kubechain/apiserver/resources';
import type { CRDVersion, CustomResourceDefinition } from '../definition/crd-types.ts';

/** What OpenAPI documents are told of one version of a CRD. */
export function publishedOpenAPI(crd: CustomResourceDefinition, version: CRDVersion): CustomResourceOpenAPI {
  const { group, names, preserveUnknownFields = false, scope } = crd.spec;
  const schema = version.schema?.openAPIV3Schema;
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    namespaced: scope === 'Namespaced',
    status: version.subresources?.status !== undefined,
    scale: version.subresources?.scale !== undefined,
    preserveUnknownFields,
    ...(schema === undefined ? {} : { schema }),
    ...(version.selectableFields === undefined ? {} : { selectableFields: version.selectableFields }),
  };
}
