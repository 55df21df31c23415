import type { Filter } from '../request/filter.ts';

const allowedMethods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const allowedHeaders =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';
const exposedHeaders = 'Date';

/** Which origins may call: a RegExp, or one of another engine. */
export interface OriginPattern {
  test(origin: string): boolean;
}

/** Cross-origin answers for origins that match a pattern of `--cors-allowed-origins` (server/filters/cors.go). */
export function cors(allowedOriginPatterns: readonly OriginPattern[]): Filter {
  return (request, response, next) => {
    const origin = request.headers.origin;
    if (origin !== undefined && allowedOriginPatterns.some((pattern) => pattern.test(origin))) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Allow-Methods', allowedMethods);
      response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
      response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
      response.setHeader('Access-Control-Allow-Credentials', 'true');
      if (request.method === 'OPTIONS') {
        response.writeHead(204);
        response.end();
        return;
      }
    }
    next(request, response);
  };
}
