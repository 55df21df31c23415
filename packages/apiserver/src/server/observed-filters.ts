import { findRequestContext } from '../request/request-context.ts';
import type { Filter, NamedFilter } from '../request/filter.ts';

/** The filter behind which requests have a context. */
const makesContext = 'request-received';

/**
 * Filters that tell the observation of a request when each of them begins; as they are where nobody can ever look.
 * What is behind the last of them is the handler's.
 */
export function observedFilters(watch: Filter | undefined, filters: readonly NamedFilter[]): readonly NamedFilter[] {
  if (watch === undefined) return filters;
  const first = filters.findIndex(({ name }) => name === makesContext) + 1;
  return [
    ...filters.slice(0, first),
    { name: 'observe', filter: watch },
    ...filters.slice(first).map(observed),
    {
      name: 'observed',
      filter: (request, response, next) => {
        findRequestContext(request)?.observation?.leaveFilter();
        next(request, response);
      },
    },
  ];
}

function observed({ filter, name }: NamedFilter): NamedFilter {
  return {
    name,
    filter: (request, response, next) => {
      findRequestContext(request)?.observation?.enterFilter(name);
      filter(request, response, next);
    },
  };
}
