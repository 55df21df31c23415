import type { Filter } from '../request/filter.ts';

/** Sends Strict-Transport-Security (server/filters/hsts.go). */
export function hsts(directives: readonly string[]): Filter {
  const value = directives.join('; ');
  return (request, response, next) => {
    response.setHeader('Strict-Transport-Security', value);
    next(request, response);
  };
}
