import { declaredStatusStrategy, declaredStrategy } from '../../declared-strategy.ts';
import { storedResource } from '../../resource.ts';
import type { Eviction } from '../lifecycle-types.ts';
import { printEviction } from '../table.ts';
import { validateEvictionStatus } from './status-validation.ts';

/**
 * Serves evictions with status, where the feature gate EvictionRequestAPI is on (pkg/registry/lifecycle/eviction,
 * 1.37).
 */
export const evictionResource = storedResource({
  group: 'lifecycle.k8s.io',
  plural: 'evictions',
  strategy: (context) => declaredStrategy({ context, status: true, generation: 'spec' }),
  status: (context) =>
    declaredStatusStrategy({
      context,
      also: (eviction, old) =>
        validateEvictionStatus(eviction as Eviction, old as Eviction | undefined, {
          nowMs: context.clock.now(),
          release: context.release,
        }),
    }),
  row: printEviction,
});
