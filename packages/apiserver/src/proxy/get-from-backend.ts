import type { IncomingMessage } from 'node:http';
import { goErrorText } from '../services/go-error-text.ts';
import { dialAddress, endSlowDial, requestOptions, targetOf, urlOf, type Backend } from './backend.ts';
import { boundInformation } from '../request/bound-information.ts';
import { ProxyError } from './proxy-error.ts';
import { nodeHTTPS } from '../certificates/node-tls.ts';

// Not imported: an import reads all exports of node:http, and one of them loads undici (90 ms of a start).
const { request: httpRequest } = process.getBuiltinModule('node:http');

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * GETs from a backend on this server's own account; resolves with the answer when its head is there. Redirects are not
 * followed. `signal` ends the connection, also while the body is read.
 * @throws ProxyError `Get "https://…": …`
 */
export function getFromBackend(backend: Backend, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (text: string, cause?: Error): void => {
      reject(new ProxyError(`Get ${JSON.stringify(urlOf(backend))}: ${text}`, { cause }));
    };
    const options = {
      ...requestOptions(backend),
      path: targetOf(backend),
      headers: { host: backend.host },
      signal,
    };
    const outgoing = backend.scheme === 'https' ? nodeHTTPS().request(options) : httpRequest(options);
    outgoing.on('socket', endSlowDial);
    boundInformation(outgoing);
    outgoing.on('error', (error) => {
      fail(goErrorText(error, dialAddress(backend)), error);
    });
    outgoing.on('response', (answer) => {
      if (redirects.has(answer.statusCode ?? 0) && (answer.headers.location ?? '') !== '') {
        answer.destroy();
        fail('redirects forbidden');
      } else resolve(answer);
    });
    outgoing.end();
  });
}
