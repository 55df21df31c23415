import type { IncomingMessage } from 'node:http';
import type { X509Certificate } from 'node:crypto';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { tlsSocketOf } from '../../request/tls-socket.ts';

/**
 * What a TLS server that takes client certificates is made with. Certificates are optional and are judged per CA by the
 * authenticators, not by TLS, which knows only one set of CAs. That set has none on purpose: Node 24 hides the
 * intermediates of a chain that TLS itself has verified. Who wants to name acceptable authorities puts `namesakesOf`
 * them there.
 */
export const CLIENT_CERTIFICATE_TLS_OPTIONS: Pick<TlsOptions, 'requestCert' | 'rejectUnauthorized' | 'ca'> = {
  requestCert: true,
  rejectUnauthorized: false,
  ca: [],
};

/** The certificates that the client showed on this connection, not yet believed. */
export interface ClientCertificate {
  readonly leaf: X509Certificate;
  readonly intermediates: readonly X509Certificate[];
}

/** Certificates read of what a client sends; bounds the work that a handshake can cause. */
const MAX_SHOWN = 8;

/** Per connection: a client shows its certificate once, in the handshake. `null` remembers that it showed none. */
const shown = new WeakMap<TLSSocket, ClientCertificate | null>();

/** Undefined for connections without TLS and clients without certificate. */
export function clientCertificateOf(request: IncomingMessage): ClientCertificate | undefined {
  const socket = tlsSocketOf(request);
  if (socket === undefined) return undefined;
  let certificate = shown.get(socket);
  if (certificate === undefined) {
    certificate = readCertificate(socket);
    shown.set(socket, certificate);
  }
  return certificate ?? undefined;
}

function readCertificate(socket: TLSSocket): ClientCertificate | null {
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return null;
  // Node 24 gives the chain out once a connection: this must stay the only place that asks for it.
  const intermediates: X509Certificate[] = [];
  for (
    let issuer = leaf.issuerCertificate;
    issuer !== undefined && intermediates.length < MAX_SHOWN;
    issuer = issuer.issuerCertificate
  )
    intermediates.push(issuer);
  return { leaf, intermediates };
}
