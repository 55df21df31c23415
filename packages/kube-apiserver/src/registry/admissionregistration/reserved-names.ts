import type { KubeObject } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver/resources';

const suffix = '.static.k8s.io';

function warnings({ metadata }: KubeObject): readonly string[] {
  return metadata?.name?.endsWith(suffix) === true
    ? [
        `metadata.name: names ending with "${suffix}" are reserved for static manifest-based configurations ` +
          'and cannot be managed via the API',
      ]
    : [];
}

/** Warnings about names that belong to configurations from files (static_suffix.go, 1.36). */
export const reservedNameWarnings: Pick<Strategy, 'warningsOnCreate' | 'warningsOnUpdate'> = {
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
};
