import type { IncomingMessage, Server } from 'node:http';
import { forbidden } from '@kubechain/apimachinery';
import type { AuthenticatedUser, RequestAuthenticator } from '../../authentication/authenticator.ts';
import { writeError } from '../../responses/write-status.ts';
import { isLoopback } from '../../options/loopback.ts';
import { isBehindLast } from './linger.ts';
import { listen } from './listen.ts';
import { malformed, refuseMalformed, refuseUnreadable } from './malformed-requests.ts';
import { followResponse } from './open-responses.ts';
import { http1Limits } from './http1-limits.ts';
import type { ServerHandlers } from './secure-serving.ts';
import { endLeftBody } from './left-body.ts';

/** The port without TLS, on which everybody is the administrator. */
export interface InsecureServingOptions {
  /** --insecure-bind-address: of this machine alone. */
  readonly host: string;
  /** --insecure-port; 0 chooses a free one. */
  readonly port: number;
}

// Not imported: an import reads all exports of node:http, and one of them loads undici.
const { createServer } = process.getBuiltinModule('node:http');

/** Who everybody on that port is (apiserver/pkg/server/deprecated_insecure_serving.go, 1.19). */
const superuser: AuthenticatedUser = {
  user: { name: 'system:unsecured', groups: ['system:masters', 'system:authenticated'], extra: {} },
};

/**
 * HTTP/1.1 without TLS, authentication and authorization, as kube-apiserver had it up to 1.19 (`--insecure-port`): for
 * one's own machine. Web pages are programs on that machine, too: what a browser sends for one, and what names another
 * host than this machine, is refused.
 */
export class InsecureServing {
  readonly #options: InsecureServingOptions;
  readonly #server: Server;
  #port = 0;

  constructor(options: InsecureServingOptions, { request, upgrade }: ServerHandlers, sockets: WeakSet<object>) {
    this.#options = options;
    this.#server = createServer({ ...http1Limits, noDelay: true });
    this.#server.maxHeadersCount = 0;
    this.#server.on('connection', (socket) => sockets.add(socket));
    this.#server.on('request', (incoming, response) => {
      if (isBehindLast(incoming) || !followResponse(incoming, response)) return;
      const mistake = malformed(incoming);
      if (mistake !== undefined) {
        refuseMalformed(incoming, response, mistake);
        return;
      }
      endLeftBody(incoming, response);
      if (isLocal(incoming)) request(incoming, response);
      else writeError(incoming, response, forbidden({ group: '', resource: '' }, '', strangers));
    });
    this.#server.on('upgrade', (incoming, socket, head) => {
      if (malformed(incoming) === undefined && isLocal(incoming)) upgrade(incoming, socket, head);
      else refuseUnreadable(new Error('upgrade of a stranger'), socket);
    });
    this.#server.on('clientError', refuseUnreadable);
  }

  /** After `listen`. */
  get port(): number {
    return this.#port;
  }

  /** @throws OptionsError that names the flag */
  async listen(): Promise<void> {
    const { host, port } = this.#options;
    this.#port = await listen(this.#server, {
      host,
      port,
      portFlag: 'insecure-port',
      hostFlag: 'insecure-bind-address',
    });
  }

  /** No new connections; requests that are being answered go on. */
  stopAccepting(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  destroy(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const strangers = 'the insecure port answers programs of this machine, no web pages';

/** Whether a request comes from a program that knows where it asks: browsers say for whom they do. */
function isLocal({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined && headers['sec-fetch-site'] === undefined && isLoopbackHost(headers.host);
}

/** A name of this machine for itself, with or without a port; HTTP/1.0 has none. */
function isLoopbackHost(host: string | undefined): boolean {
  const name = (host ?? 'localhost').replace(/:\d*$/, '').toLowerCase();
  return name === 'localhost' || isLoopback(name.replace(/^\[(.*)\]$/, '$1'));
}

/** Asks nothing of those who come by the insecure port. */
export function trustInsecure(authenticator: RequestAuthenticator, sockets: WeakSet<object>): RequestAuthenticator {
  return {
    authenticate: (request) => (sockets.has(request.socket) ? superuser : authenticator.authenticate(request)),
    knownRefusal: (request) => (sockets.has(request.socket) ? undefined : authenticator.knownRefusal?.(request)),
  };
}
