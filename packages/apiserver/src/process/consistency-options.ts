import type { CacherSetOptions } from '@kubechain/shared-storage/factory';
import type { FeatureGates } from '../options/feature-gates.ts';

/**
 * Caches are compared with etcd from time to time, unless the feature gate DetectCacheInconsistency is off; with the
 * environment variable KUBE_WATCHCACHE_CONSISTENCY_CHECKER they always are, and a difference ends the process, so that
 * no test passes over it (cacher/delegator.go, 1.36).
 */
export function consistencyOptions(
  featureGates: FeatureGates,
  env: NodeJS.ProcessEnv,
): Pick<CacherSetOptions, 'consistencyChecks' | 'onInconsistent'> {
  const ends = /^(1|t|T|TRUE|true|True)$/.test(env['KUBE_WATCHCACHE_CONSISTENCY_CHECKER'] ?? '');
  if (!ends) return { consistencyChecks: featureGates.enabled('DetectCacheInconsistency') };
  return {
    consistencyChecks: true,
    onInconsistent: (error) => {
      setImmediate(() => {
        throw error;
      });
    },
  };
}
