import type { TLSSocket } from 'node:tls';

/**
 * Keeps Node's parser of HTTP/1.1 from being paused on a connection. A request that comes while an answer before it is
 * not all written has Node stop reading, and pause the parser. TLS may have decrypted more of the request by then: it
 * comes all the same, and a paused parser takes it for malformed (HPE_PAUSED), so that the connection ends. To stop
 * reading is enough: no more than what was read already comes behind it.
 */
export function neverPauseParser(socket: TLSSocket): void {
  // Connections of HTTP/2 have none. What is set stays with a parser that serves other connections later.
  const { parser } = socket as TLSSocket & { readonly parser?: { pause?: () => void } | null };
  if (parser !== undefined && parser !== null) parser.pause = nothing;
}

function nothing(): void {
  // See above.
}
