import type { ListOptions } from './interfaces.ts';
import { decodeContinue } from './continue-token.ts';
import { StorageError } from './errors.ts';
import { parseResourceVersion } from './resource-version.ts';

/**
 * What a list request asks for, of resourceVersion, resourceVersionMatch, limit and continue together:
 * `latest`: everything that was there when the request came; `notOlderThan`: any state from `revision` on;
 * `exact`: the state at `revision`.
 */
export type ListPlan =
  | { readonly kind: 'latest'; readonly startKey: string }
  | { readonly kind: 'notOlderThan'; readonly revision: number; readonly startKey: string }
  | { readonly kind: 'exact'; readonly revision: number; readonly startKey: string };

/**
 * Reads a request as upstream does (ValidateListOptions, delegator/interface.go, 1.36); the cache and the store both go
 * by it.
 *
 * @param key prefix or key that is listed
 * @throws StorageError `InvalidContinue`, `InvalidResourceVersion`
 */
export function planList(key: string, options: ListOptions): ListPlan {
  const {
    resourceVersion = '',
    resourceVersionMatch = '',
    limit = 0,
    continue: token = '',
    recursive = true,
  } = options;
  if (recursive && token !== '') {
    const { startKey, revision } = decodeContinue(token, key);
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw new StorageError('InvalidContinue', 'specifying resource version is not allowed when using continue', {
        key,
      });
    return revision > 0 ? { kind: 'exact', revision, startKey } : { kind: 'latest', startKey };
  }
  const revision = parseResourceVersion(resourceVersion);
  switch (resourceVersionMatch) {
    case 'Exact':
      return { kind: 'exact', revision, startKey: key };
    case 'NotOlderThan':
      return { kind: 'notOlderThan', revision, startKey: key };
    case '':
      if (resourceVersion === '') return { kind: 'latest', startKey: key };
      return { kind: recursive && limit > 0 && revision > 0 ? 'exact' : 'notOlderThan', revision, startKey: key };
    default:
      resourceVersionMatch satisfies never;
      throw new StorageError(
        'InvalidResourceVersion',
        `unknown ResourceVersionMatch value: ${String(resourceVersionMatch)}`,
        { key },
      );
  }
}
