import { messageOf } from '@kubechain/apimachinery';
import { connect as connectSocket, isIP } from 'node:net';
import type { OnReadOpts, Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { EndpointOptions } from './endpoint-options.ts';

export interface DialOptions {
  /** What is offered in the handshake of TLS, the best first. */
  readonly protocols: readonly string[];
  /** Where to read into. Not followed where others make the socket: whoever asks listens for `data` as well. */
  readonly onread?: OnReadOpts;
}

/**
 * Begins a connection to an endpoint.
 * @param url `http://host:port`, `https://host:port` or `unix:PATH`
 */
export function dial(url: string, options: EndpointOptions, { onread, protocols }: DialOptions): Socket {
  const reading = onread === undefined ? {} : { onread };
  if (url.startsWith('unix:')) return connectSocket({ path: url.replace(/^unix:(\/\/(?=\/))?/, ''), ...reading });
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const { openSocket, tls } = options;
  if (protocol !== 'https:') {
    const plain = Number(port === '' ? 80 : port);
    return openSocket?.(host, plain) ?? connectSocket({ host, port: plain, noDelay: true, ...reading });
  }
  const secured = Number(port === '' ? 443 : port);
  const under = openSocket?.(host, secured);
  const secure: ConnectionOptions = {
    ...(typeof tls === 'function' ? tls() : tls),
    host,
    port: secured,
    ...(under === undefined ? reading : { socket: under }),
    // As Go's x509: each certificate of the bundle is trusted as it stands.
    allowPartialTrustChain: true,
    ALPNProtocols: [...protocols],
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  // Not imported: loading it has Node read its 146 authorities, 20 ms of a processor and 2 MB that stay.
  const socket = process.getBuiltinModule('node:tls').connect(secure);
  socket.setNoDelay(true);
  under?.once('error', (error) => {
    socket.destroy(error);
  });
  return socket;
}

/** Why a connection could not be made, in one line. */
export function describeFailure(error: Error | undefined): string {
  if (error === undefined) return 'the connection was closed';
  // An attempt on several addresses has its reasons inside.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((inner) => messageOf(inner)).join(', ');
  return error.message;
}
