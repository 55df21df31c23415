import type * as https from 'node:https';
import type * as tls from 'node:tls';

/**
 * Node's modules for TLS, loaded when something is first done over it. Loading them has Node read the authorities that
 * it was built with, 146 of them in a thread of its own: 20 ms of a processor and 2 MB that stay. What serves behind
 * another process on a unix socket, over a store on one, needs none of it. The loaded module is found in a microsecond.
 */
export function nodeTLS(): typeof tls {
  return process.getBuiltinModule('node:tls');
}

/** Beside what {@link nodeTLS} says: an import would read all exports, and one below them loads undici (90 ms). */
export function nodeHTTPS(): typeof https {
  return process.getBuiltinModule('node:https');
}
