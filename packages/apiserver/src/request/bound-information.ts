import { limits } from '@kubechain/apimachinery';
import type { ClientRequest } from 'node:http';

/** As many as Go's HTTP client takes of whom a server asks for itself (net/http, max1xxResponses). */
export const MOST_INFORMATION_OF_PEERS = 5;

/**
 * Gives a request up whose backend sends informational answers (1xx) without an end; Go's client bounds them by their
 * bytes (net/http Transport, MaxResponseHeaderBytes). Each costs the thread that serves everybody some microseconds,
 * and a hundred thousand come in a moment.
 */
export function boundInformation(outgoing: ClientRequest, most: number = limits.informationalAnswers.value): void {
  let left = most;
  // Also of `100 Continue`, which Node tells of twice.
  outgoing.on('information', () => {
    if (left-- === 0) outgoing.destroy(new TypeError('net/http: too many 1xx informational responses'));
  });
}
