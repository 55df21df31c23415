import { invalidValue, isQualifiedName, notSupported } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

/** How leaders are chosen: by a way that the server knows, or by one of somebody's own, `example.com/name`. */
export function validateElectionStrategy(path: FieldPath, strategy: string): FieldError[] {
  // The reference says `strategy` twice.
  const twice = path.child('strategy');
  if (strategy.includes('/')) return isQualifiedName(strategy).map((message) => invalidValue(twice, strategy, message));
  return strategy === 'OldestEmulationVersion' ? [] : [notSupported(twice, strategy, ['OldestEmulationVersion'])];
}
