import type { IncomingMessage } from 'node:http';
import { findRequestContext } from './request-context.ts';
import { ServerRequestContext } from './server-request-context.ts';

/**
 * The context as the chain's own filters see it.
 * @throws TypeError outside of the chain
 */
export function serverContext(request: IncomingMessage): ServerRequestContext {
  const context = findRequestContext(request);
  if (context instanceof ServerRequestContext) return context;
  throw new TypeError('request did not pass the request-received filter');
}
