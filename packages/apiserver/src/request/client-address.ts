import type { IncomingMessage } from 'node:http';
import type { ServerRequestContext } from './server-request-context.ts';

/**
 * Tells the next process of the chain who connected to the first one, `address:port`; clients cannot send it past a
 * hop.
 */
export const clientAddressHeader = 'X-Kubechain-Client';

/** `address:port` of the client that a request came from, `[address]:port` of IPv6; '' where nobody knows. */
export function clientAddress(context: Pick<ServerRequestContext, 'forwardedClient' | 'request'>): string {
  return context.forwardedClient === '' ? peerOf(context.request) : context.forwardedClient;
}

function peerOf({ socket }: IncomingMessage): string {
  const { remoteAddress = '', remotePort } = socket ?? {};
  if (remoteAddress === '' || remotePort === undefined) return '';
  return remoteAddress.includes(':') ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
}
