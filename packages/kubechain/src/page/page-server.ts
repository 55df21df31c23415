import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LaunchError } from '../launch-error.ts';
import type { ChainClient } from './chain-client.ts';
import type { ChainFeed } from './chain-feed.ts';
import type { ChainFacts } from './feed-messages.ts';
import { PageAccess } from './page-access.ts';
import type { PageFiles } from './page-files.ts';

const http = process.getBuiltinModule('node:http');

/** Nothing from elsewhere, no script or style in the document, and in nobody's frame. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

/** What the page is served from. */
export interface PageServerOptions {
  readonly facts: ChainFacts;
  readonly feed: ChainFeed;
  readonly client: ChainClient;
  readonly files: () => Promise<PageFiles>;
  /** Path of the socket of the control API. */
  readonly controlSocket: string;
}

/**
 * Serves the chain's page on 127.0.0.1, to whoever has its address:
 *
 *     /            the page; /page.js, /page.css
 *     /chain       what does not change; /feed: events for as long as somebody listens
 *     /kube/…      reads of the chain, as its administrator
 *     /v1/…        the control API
 */
export class PageServer {
  readonly #options: PageServerOptions;
  readonly #server: Server;
  readonly #token = randomBytes(32).toString('base64url');
  #access = new PageAccess(this.#token, 0);
  #files: Promise<PageFiles> | undefined;

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#server = http.createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else answer(response, 502, 'text/plain', `${(error as Error).message}\n`);
      });
    });
  }

  /** Resolves to the address that lets people in. @throws LaunchError that names the flag */
  async listen(port: number): Promise<string> {
    try {
      this.#server.listen(port, '127.0.0.1');
      await once(this.#server, 'listening');
    } catch (cause) {
      throw new LaunchError('Usage', `--ui: cannot listen on 127.0.0.1:${port}: ${(cause as Error).message}`, {
        cause,
      });
    }
    const { port: taken } = this.#server.address() as AddressInfo;
    this.#access = new PageAccess(this.#token, taken);
    return `http://127.0.0.1:${taken}/?token=${this.#token}`;
  }

  close(): void {
    this.#options.feed.close();
    this.#options.client.close();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { pathname } = url;
    if (pathname === '/' && url.searchParams.has('token') && this.#access.isHere(request)) {
      const cookie = this.#access.enter(url.searchParams.get('token'));
      if (cookie !== undefined) {
        // On to an address that can be shown to others.
        response.writeHead(303, { Location: '/', 'Set-Cookie': cookie }).end();
        return;
      }
    }
    if (!this.#access.allows(request)) {
      answer(response, 403, 'text/plain', 'Open the address that kubechain up has printed.\n');
      return;
    }
    if (pathname.startsWith('/v1/')) {
      await this.#control(request, response);
      return;
    }
    if (request.method !== 'GET') answer(response, 405, 'text/plain', 'only reads\n');
    else if (pathname.startsWith('/kube/')) await this.#read(request.url!.slice('/kube'.length), response);
    else if (pathname === '/feed') this.#options.feed.follow(response);
    else if (pathname === '/chain') answer(response, 200, 'application/json', JSON.stringify(this.#options.facts));
    else await this.#file(pathname, response);
  }

  async #file(path: string, response: ServerResponse): Promise<void> {
    // Built anew with each load of a page's document, so that it is what the sources say.
    if (path === '/') this.#files = undefined;
    const pending = (this.#files ??= this.#options.files());
    let files: PageFiles;
    try {
      files = await pending;
    } catch (error) {
      this.#files = undefined;
      throw error;
    }
    if (path === '/') answer(response, 200, 'text/html', files.document);
    else if (path === '/page.js') answer(response, 200, 'text/javascript', files.script);
    else if (path === '/page.css') answer(response, 200, 'text/css', files.style);
    else answer(response, 404, 'text/plain', 'not found\n');
  }

  async #read(path: string, response: ServerResponse): Promise<void> {
    const { body, contentType, status } = await this.#options.client.get(path);
    response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': body.length });
    response.end(body);
  }

  async #control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers: given, method, url } = request;
    const length = given['content-length'];
    const call = http.request({
      socketPath: this.#options.controlSocket,
      path: url,
      method,
      ...(length === undefined ? {} : { headers: { 'Content-Length': length } }),
    });
    response.once('close', () => call.destroy());
    request.pipe(call);
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    const { statusCode = 502 } = reply;
    response.writeHead(statusCode, { 'Content-Type': reply.headers['content-type'] ?? 'text/plain' });
    reply.pipe(response);
  }
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
