import { StatusError } from '@kubechain/apimachinery';

/**
 * The check that the reference's router (go-restful) makes before a handler runs: some media range of Accept, its
 * parameters cut off, is the wildcard for everything or exactly one of `produces`. `type/*` does not count.
 * @throws StatusError 406 in the router's own words
 */
export function checkRouteAccept(accept: string | undefined, produces: readonly string[]): void {
  if (accept === undefined || accept === '' || accept === '*/*' || produces.includes(accept)) return;
  for (const part of accept.split(',')) {
    const semicolon = part.indexOf(';');
    const range = (semicolon < 0 ? part : part.slice(0, semicolon)).trim();
    if (range === '*/*' || produces.includes(range)) return;
  }
  throw new StatusError({
    status: 'Failure',
    code: 406,
    reason: 'NotAcceptable',
    details: {},
    message: `406: Not Acceptable\n\nAvailable representations: ${produces.join(', ')}`,
  });
}

/**
 * The router's check of a body's type: one of `consumes`, parameters cut off, case as it is.
 * @throws StatusError 415 in the router's own words
 */
export function checkRouteContentType(contentType: string | undefined, consumes: readonly string[]): void {
  for (const part of (contentType ?? '').split(',')) {
    const semicolon = part.indexOf(';');
    const type = (semicolon < 0 ? part : part.slice(0, semicolon)).trim();
    if (consumes.includes(type)) return;
  }
  throw new StatusError({
    status: 'Failure',
    code: 415,
    reason: 'UnsupportedMediaType',
    details: {},
    message: '415: Unsupported Media Type',
  });
}
