import { limits } from '@kubechain/apimachinery';
import type { ClientRequest } from 'node:http';

/**
 * Gives a request up whose backend sends informational answers (1xx) without an end; Go's client bounds them by their
 * bytes (net/http Transport, MaxResponseHeaderBytes).
 */
export function boundInformation(outgoing: ClientRequest): void {
  let left = limits.informationalAnswers.value;
  outgoing.on('information', () => {
    if (left-- === 0) outgoing.destroy(new TypeError('net/http: too many 1xx informational responses'));
  });
}
