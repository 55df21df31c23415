/** What is published of one version of a custom resource. */
export interface CustomResourceOpenAPI {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly status: boolean;
  readonly scale: boolean;
  /** openAPIV3Schema as the CRD has it; absent when it has none, or one that is not structural. */
  readonly schema?: object;
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  /** spec.preserveUnknownFields. */
  readonly preserveUnknownFields?: boolean;
}
