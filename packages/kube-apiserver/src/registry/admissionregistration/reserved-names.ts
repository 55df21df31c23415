import { FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { FeatureGate } from '@kubechain/apiserver/options';
import type { Strategy } from '@kubechain/apiserver/resources';

const suffix = '.static.k8s.io';
const reserved =
  `names ending with "${suffix}" are reserved for static manifest-based configurations and cannot be managed via ` +
  'the API';

function isReserved({ metadata }: KubeObject): boolean {
  return metadata?.name?.endsWith(suffix) === true;
}

function warnings(object: KubeObject): readonly string[] {
  return isReserved(object) ? [`metadata.name: ${reserved}`] : [];
}

function errorsOf(object: KubeObject): readonly FieldError[] {
  return isReserved(object)
    ? [invalidValue(FieldPath.of('metadata', 'name'), object.metadata?.name ?? '', reserved)]
    : [];
}

/**
 * A strategy that keeps names for configurations from files (static_suffix.go, 1.36): refused where there may be such
 * files, else warned of.
 */
export function withReservedNames(
  strategy: Strategy,
  { featureEnabled }: { readonly featureEnabled: (gate: FeatureGate) => boolean },
): Strategy {
  if (!featureEnabled('ManifestBasedAdmissionControlConfig'))
    return { ...strategy, warningsOnCreate: warnings, warningsOnUpdate: warnings };
  return {
    ...strategy,
    warningsOnUpdate: warnings,
    validate: async (object, context) => [...((await strategy.validate?.(object, context)) ?? []), ...errorsOf(object)],
  };
}
