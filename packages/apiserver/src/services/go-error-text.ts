import type { PeerCertificate } from 'node:tls';
import { joinHostPort } from './join-host-port.ts';

/** What Node says of connections and certificates that fail; more of its members than the type of Error has. */
interface ConnectionError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly hostname?: string;
  readonly host?: string;
  /** Which was tried, where a name stands for it. */
  readonly address?: string;
  readonly port?: number;
  /** One for each address of a name, in turn. */
  readonly errors?: readonly ConnectionError[];
  readonly reason?: string;
  readonly cert?: PeerCertificate;
}

const unknownAuthority: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'CERT_UNTRUSTED',
]);

/**
 * What a connection to `address` (`host:port`) failed of, in the words of Go's net, crypto/tls and crypto/x509, which
 * clients and conditions show.
 */
export function goErrorText(error: Error, address: string): string {
  const { code = '', syscall, hostname = '', cert, host = '' } = error as ConnectionError;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'context deadline exceeded';
  if (syscall === 'getaddrinfo') return `dial tcp: lookup ${hostname}: no such host`;
  if (unknownAuthority.has(code)) return failedToVerify('certificate signed by unknown authority');
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${dialed(error, address)}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${dialed(error, address)}: connect: no route to host`;
    case 'ENETUNREACH':
      return `dial tcp ${dialed(error, address)}: connect: network is unreachable`;
    case 'ETIMEDOUT':
      return `dial tcp ${dialed(error, address)}: i/o timeout`;
    // Node reports both a closed and a reset connection so; a server that goes away mostly closes.
    case 'ECONNRESET':
    case 'EPIPE':
      return 'EOF';
    case 'CERT_HAS_EXPIRED':
      return failedToVerify('certificate has expired or is not yet valid');
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return failedToVerify(wrongName(cert, host));
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return 'http: server gave HTTP response to HTTPS client';
    default:
      return error.message;
  }
}

/** The address that a name stood for, the first of several: Go tells that, not the name. */
function dialed(error: ConnectionError, name: string): string {
  const { address, port } = error.errors?.[0] ?? error;
  return address === undefined || port === undefined ? name : joinHostPort(address, port);
}

function failedToVerify(reason: string): string {
  return `tls: failed to verify certificate: x509: ${reason}`;
}

function wrongName(cert: PeerCertificate | undefined, host: string): string {
  const names = (cert?.subjectaltname ?? '').split(', ').flatMap((entry) => /^DNS:(.+)$/.exec(entry)?.[1] ?? []);
  if (names.length === 0)
    return cert?.subject?.CN === undefined
      ? `certificate is not valid for any names, but wanted to match ${host}`
      : 'certificate relies on legacy Common Name field, use SANs instead';
  return `certificate is valid for ${names.join(', ')}, not ${host}`;
}
