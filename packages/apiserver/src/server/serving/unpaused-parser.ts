import type { TLSSocket } from 'node:tls';

/**
 * Keeps Node from pausing its HTTP/1.1 parser on a connection. When a request comes while an earlier answer is not
 * completely written, Node stops reading and pauses the parser. TLS may already have decrypted more of the request,
 * which is delivered all the same; the paused parser reports it as malformed (HPE_PAUSED), and the connection ends.
 * Stopping to read is enough: no more than what was already read follows.
 */
export function neverPauseParser(socket: TLSSocket): void {
  // Connections of HTTP/2 have none. What is set stays with a parser that serves other connections later.
  const { parser } = socket as TLSSocket & { readonly parser?: { pause?: () => void } | null };
  if (parser !== undefined && parser !== null) parser.pause = nothing;
}

function nothing(): void {
  // See above.
}
