import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

const self = Symbol('the socket itself');

/** Lets `tlsSocketOf` find a connection's socket behind HTTP/2's proxies; called once per connection. */
export function rememberTLSSocket(socket: TLSSocket): void {
  (socket as TLSSocket & { [self]?: TLSSocket })[self] = socket;
}

/**
 * The TLS connection of a request, the same object for all its requests; undefined without TLS. HTTP/2 shows each
 * request a proxy of its own, so what is kept per connection (client certificates) must not be keyed by
 * `request.socket`.
 */
export function tlsSocketOf(request: IncomingMessage): TLSSocket | undefined {
  const socket = request.socket as TLSSocket & { readonly [self]?: TLSSocket };
  // Asked for its class, it would have node:tls loaded where nobody has such a connection.
  return (socket.encrypted as boolean | undefined) === true ? (socket[self] ?? socket) : undefined;
}
