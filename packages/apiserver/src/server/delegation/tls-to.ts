import type { ConnectionOptions } from 'node:tls';
import { trustBundle } from '../../certificates/trust-bundle.ts';
import type { DelegateAddress } from './delegate-address.ts';

/** Client credentials for a delegate behind TLS. */
export interface HopTLS {
  /** Trusted for the delegate's serving certificate. */
  readonly ca?: string | Buffer;
  /** The front-proxy client certificate, and its key. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Name expected in the delegate's certificate. Default: the host. */
  readonly servername?: string;
}

/** Answers what to use for the next connection: the same object until something has changed. */
export type HopTLSSource = () => HopTLS;

/** What `tls.connect` takes for a connection to the next process: HTTP/1.1, or what an upgrade of it makes. */
export function tlsTo(
  { hostname, port }: DelegateAddress & { readonly kind: 'https' },
  { ca, cert, key, servername = hostname }: HopTLS = {},
): ConnectionOptions {
  return {
    host: hostname,
    port,
    servername,
    ALPNProtocols: ['http/1.1'],
    ...trustBundle(ca),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}
