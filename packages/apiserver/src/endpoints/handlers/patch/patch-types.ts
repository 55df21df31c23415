/** Content types of patches, in the order in which errors list them. */
export const jsonPatchType = 'application/json-patch+json';
export const mergePatchType = 'application/merge-patch+json';
export const strategicMergePatchType = 'application/strategic-merge-patch+json';
export const applyPatchType = 'application/apply-patch+yaml';

/** Patches of built-in resources. */
export const builtInPatchTypes: readonly string[] = [
  jsonPatchType,
  mergePatchType,
  strategicMergePatchType,
  applyPatchType,
];
/** Patches of custom resources: without a Go type there is no strategic merge. */
export const customResourcePatchTypes: readonly string[] = [jsonPatchType, mergePatchType, applyPatchType];
