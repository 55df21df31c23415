import type { Filter } from '../../request/filter.ts';
import { serverContext } from '../../request/server-context.ts';
import type { ServerRequestContext } from '../../request/server-request-context.ts';

/** Tells the next process what happens there to a request that has met a fault here. */
export function stampFault({ fault }: ServerRequestContext, headers: string[]): void {
  if (fault?.readAt !== undefined) headers.push('X-Kubechain-Read-At', String(fault.readAt));
  if (fault?.overtaken === true) headers.push('X-Kubechain-Overtaken', '1');
}

/** Believes what the process in front says of the fault that a request has met. */
export const forwardedFaults: Filter = (request, response, next) => {
  const { 'x-kubechain-overtaken': overtaken, 'x-kubechain-read-at': readAt } = request.headers;
  if (readAt !== undefined) serverContext(request).fault = { readAt: Number(readAt) };
  else if (overtaken !== undefined) serverContext(request).fault = { overtaken: true };
  next(request, response);
};
