import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { goErrorText } from '../services/go-error-text.ts';
import { restClientError } from './rest-client-error.ts';
import type { WebhookServices } from './webhook-services.ts';

/** Where a webhook is (WebhookClientConfig of admissionregistration and apiextensions). */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number };
  /** PEM, base64; absent or blank: the system's authorities. */
  readonly caBundle?: string;
}

export interface WebhookClientOptions {
  readonly services: Pick<WebhookServices, 'resolve'>;
}

/** How one call is made. */
export interface WebhookCallOptions {
  readonly timeoutMs: number;
  /** The request that the call is made for. */
  readonly signal?: AbortSignal;
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
  #agent: Agent | undefined;

  constructor(target: WebhookTarget, options: WebhookClientOptions) {
    this.#target = target;
    this.#options = options;
  }

  /**
   * Posts JSON and resolves to the body of a 2xx answer.
   * @throws StatusError where the webhook answered something else; Error with Go's `Post "URL": reason` where it did not answer
   */
  async post(body: string, { timeoutMs, signal }: WebhookCallOptions): Promise<Buffer> {
    const url = this.#url();
    url.searchParams.set('timeout', `${Math.ceil(timeoutMs / 1000)}s`);
    const bounded = signal === undefined ? AbortSignal.timeout(timeoutMs) : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    let address = `${url.hostname}:${url.port === '' ? '443' : url.port}`;
    let answer: { readonly status: number; readonly body: Buffer };
    try {
      if (this.#target.url === undefined) address = await this.#options.services.resolve(serviceOf(this.#target), bounded);
      answer = await this.#send({ url, address, body, signal: bounded });
    } catch (error) {
      const reason = error instanceof Error ? error : new TypeError(String(error));
      throw new TypeError(`Post ${JSON.stringify(url.href.replace(/^https:\/\/[^/?]*/, `https://${hostOf(url, this.#target)}`))}: ${goErrorText(reason, address)}`, { cause: error });
    }
    if (answer.status < 200 || answer.status > 299) throw restClientError(answer.status, answer.body);
    return answer.body;
  }

  /** Closes kept connections. */
  close(): void { this.#agent?.destroy(); }

  #url(): URL {
    if (this.#target.url !== undefined) return new URL(this.#target.url);
    const { name, namespace, port } = serviceOf(this.#target);
    return new URL(this.#target.service?.path ?? '/', `https://${name}.${namespace}.svc:${port}`);
  }

  #send({ address, body, signal, url }: { readonly url: URL; readonly address: string; readonly body: string; readonly signal: AbortSignal }): Promise<{ readonly status: number; readonly body: Buffer }> {
    const colon = address.lastIndexOf(':');
    return new Promise((resolve, reject) => {
      const call = httpsRequest({
        host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(colon + 1)), servername: isIP(url.hostname) === 0 ? url.hostname : '', method: 'POST', path: `${url.pathname}${url.search}`, agent: this.#agent ??= this.#newAgent(), signal,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, */*', 'Content-Length': Buffer.byteLength(body), Host: url.host, 'User-Agent': 'kubechain' },
      }, (response) => { readAll(response).then((bytes) => { resolve({ status: response.statusCode ?? 0, body: bytes }); }, reject); });
      call.once('error', reject);
      call.end(body);
    });
  }

  #newAgent(): Agent {
    const ca = Buffer.from(this.#target.caBundle ?? '', 'base64').toString('utf8').trim();
    return new Agent({ keepAlive: true, maxSockets: 25, timeout: 90_000, ca: ca === '' ? systemAuthorities() : ca });
  }
}

function serviceOf({ service }: WebhookTarget): { readonly namespace: string; readonly name: string; readonly port: number } {
  return { namespace: service?.namespace ?? '', name: service?.name ?? '', port: service?.port ?? 443 };
}

/** Go shows the port of a service even where it is 443, which a URL object leaves out. */
function hostOf(url: URL, target: WebhookTarget): string {
  return target.url === undefined ? `${url.hostname}:${serviceOf(target).port}` : url.host;
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
