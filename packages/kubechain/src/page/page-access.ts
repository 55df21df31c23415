import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Who may use the page: whoever has the address with its token, from a page of this very address. What other sites
 * let a browser send has another Host or Origin, or no cookie.
 */
export class PageAccess {
  readonly #token: Buffer;
  readonly #hosts: ReadonlySet<string>;
  readonly #cookie: string;

  constructor(token: string, port: number) {
    this.#token = Buffer.from(token);
    this.#hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
    // Cookies are one for all ports of a host.
    this.#cookie = `kubechain-page-${port}`;
  }

  /** The Set-Cookie header for whoever knows the token; undefined for everybody else. */
  enter(token: string | null): string | undefined {
    if (token === null || !this.#isToken(token)) return undefined;
    return `${this.#cookie}=${token}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Whether the host is ours: a name of somebody else that leads here is not. */
  isHere({ headers }: IncomingMessage): boolean {
    return this.#hosts.has(headers.host ?? '');
  }

  /** Whether a request may be answered. */
  allows(request: IncomingMessage): boolean {
    const { headers, method } = request;
    if (!this.isHere(request)) return false;
    const { origin } = headers;
    if (origin !== undefined && origin !== `http://${headers.host ?? ''}`) return false;
    // Forms of other sites cannot set a header of their own.
    if (method !== 'GET' && headers['x-kubechain-page'] === undefined) return false;
    const cookies = (headers.cookie ?? '').split(/; */);
    return cookies.some(
      (cookie) => cookie.startsWith(`${this.#cookie}=`) && this.#isToken(cookie.slice(this.#cookie.length + 1)),
    );
  }

  #isToken(text: string): boolean {
    const given = Buffer.from(text);
    return given.length === this.#token.length && timingSafeEqual(given, this.#token);
  }
}
