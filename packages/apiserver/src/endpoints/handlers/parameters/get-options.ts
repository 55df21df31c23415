import { badRequest } from '@kubechain/apimachinery';
import type { GetOptions } from '../../../registry/rest/storage.ts';
import { queryBoolean } from './query-values.ts';

const none: GetOptions = { resourceVersion: '' };

/** meta/v1 GetOptions. @throws StatusError BadRequest for `export`, which is long gone */
export function getOptions(query: URLSearchParams): GetOptions {
  if (query.size === 0) return none;
  if (queryBoolean(query, 'export') === true)
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const resourceVersion = query.get('resourceVersion');
  return resourceVersion === null ? none : { resourceVersion };
}
