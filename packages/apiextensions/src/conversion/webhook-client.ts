import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { RequestOptions } from 'node:https';
import { rootCertificates } from 'node:tls';

/** Resolves a service reference to where it is reached, or throws an Error whose message is the reason. */
export interface ServiceResolver {
  resolve(service: { readonly namespace: string; readonly name: string; readonly port: number }): Promise<{ readonly host: string; readonly port: number }>;
}

/** Where a webhook is. */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number };
  /** PEM, base64; absent or blank: the system's authorities. */
  readonly caBundle?: string;
}

export interface WebhookClientOptions {
  readonly resolver: ServiceResolver;
  /** Default 30 s, as the reference gives conversions. */
  readonly timeoutMs?: number;
}

/** Largest answer that is read: upstream's limit for webhooks (3 MiB), beyond which something is wrong. */
const maxResponseBytes = 3 * 1024 * 1024;

/**
 * Calls one webhook over HTTPS on kept connections. Service references are resolved for each call, and their certificate
 * must be one for `<name>.<namespace>.svc`.
 */
export class WebhookClient {
  readonly #target: WebhookTarget;
  readonly #options: WebhookClientOptions;
  readonly #agent: Agent;

  constructor(target: WebhookTarget, options: WebhookClientOptions) {
    this.#target = target;
    this.#options = options;
    const ca = Buffer.from(target.caBundle ?? '', 'base64').toString('utf8').trim();
    this.#agent = new Agent({ keepAlive: true, maxSockets: 25, timeout: 90_000, ca: ca === '' ? systemAuthorities() : ca });
  }

  /** Posts JSON; resolves to the answer's status and body. @throws Error in words fit for the client, with Go's `Post "URL": reason` */
  async post(body: string): Promise<{ readonly status: number; readonly body: Buffer }> {
    const timeoutMs = this.#options.timeoutMs ?? 30_000;
    const { options, url } = await this.#destination();
    url.searchParams.set('timeout', `${timeoutMs / 1000}s`);
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => { reject(new TypeError(`Post ${JSON.stringify(url.href)}: ${error.message}`, { cause: error })); };
      const call = httpsRequest({
        ...options, method: 'POST', path: `${url.pathname}${url.search}`, agent: this.#agent,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, */*', 'Content-Length': Buffer.byteLength(body), Host: url.host, 'User-Agent': 'kubechain' },
      }, (response) => { readAll(response).then((bytes) => { resolve({ status: response.statusCode ?? 0, body: bytes }); }, fail); });
      const timer = setTimeout(() => { call.destroy(new TypeError('context deadline exceeded')); }, timeoutMs);
      call.once('close', () => { clearTimeout(timer); });
      call.once('error', fail);
      call.end(body);
    });
  }

  /** Closes kept connections. */
  close(): void { this.#agent.destroy(); }

  async #destination(): Promise<{ readonly url: URL; readonly options: RequestOptions }> {
    const { service, url } = this.#target;
    if (url !== undefined) {
      const parsed = new URL(url);
      return { url: parsed, options: { host: parsed.hostname, port: parsed.port === '' ? 443 : Number(parsed.port), servername: parsed.hostname } };
    }
    const { name = '', namespace = '', path = '/', port = 443 } = service ?? {};
    const serverName = `${name}.${namespace}.svc`;
    const { host, port: actual } = await this.#options.resolver.resolve({ namespace, name, port });
    return { url: new URL(path, `https://${serverName}:${port}`), options: { host, port: actual, servername: serverName } };
  }
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxResponseBytes) throw new TypeError('http: response body too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

let authorities: readonly string[] | undefined;

/** Go trusts what the system trusts; Node only what it was built with. Read once. */
function systemAuthorities(): string[] {
  authorities ??= [...rootCertificates, ...['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'].flatMap((path) => {
    try {
      return [readFileSync(path, 'utf8')];
    } catch {
      return [];
    }
  })];
  return [...authorities];
}
