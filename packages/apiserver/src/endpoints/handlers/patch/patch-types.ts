/** Content types of patches, in the order in which errors list them. */
export const jsonPatchType = 'application/json-patch+json';
export const mergePatchType = 'application/merge-patch+json';
export const strategicMergePatchType = 'application/strategic-merge-patch+json';
export const applyPatchType = 'application/apply-patch+yaml';
export const applyCBORPatchType = 'application/apply-patch+cbor';

/** Patches of built-in resources. */
const builtInPatchTypes: readonly string[] = [jsonPatchType, mergePatchType, strategicMergePatchType, applyPatchType];
/** Patches of custom resources: without a Go type there is no strategic merge. */
const customResourcePatchTypes: readonly string[] = [jsonPatchType, mergePatchType, applyPatchType];

/** What may be patched with. `cbor`: where the feature gate CBORServingAndStorage is on. */
export function patchTypesOf({
  cbor,
  custom,
}: {
  readonly cbor: boolean;
  readonly custom: boolean;
}): readonly string[] {
  const types = custom ? customResourcePatchTypes : builtInPatchTypes;
  return cbor ? [...types, applyCBORPatchType] : types;
}
