import { Agent, request } from 'node:https';
import { LaunchError } from '../launch-error.ts';
import type { ClientConfig } from './client-config.ts';

/** A request that carries JSON. */
export interface APIRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly userAgent?: string;
}

/** An answer that is no success. */
export class APIError extends LaunchError {
  readonly status: number;
  constructor(status: number, message: string) {
    super('Process', message);
    this.status = status;
  }
}

/** An answer, whatever its status. */
export interface APIAnswer {
  readonly status: number;
  readonly text: string;
  /** What the server warns of. */
  readonly warnings: readonly string[];
}

/** Asks an API server for JSON, as one user. Connections are kept until `close`. */
export class APIClient {
  readonly #config: ClientConfig;
  readonly #agent: Agent;

  constructor(config: ClientConfig) {
    this.#config = config;
    const { caCertificate, credentials } = config;
    this.#agent = new Agent({
      keepAlive: true,
      ca: caCertificate,
      ...(credentials.kind === 'certificate' ? { cert: credentials.cert, key: credentials.key } : {}),
    });
  }

  /** @throws APIError with the server's own message; whatever the connection fails with */
  async send<T>(request: APIRequest): Promise<T> {
    const { status, text } = await this.ask(request);
    if (status < 300) return JSON.parse(text) as T;
    throw new APIError(status, statusMessage(text) ?? `${request.method} ${request.path}: ${status}`);
  }

  /** @throws whatever the connection fails with */
  ask({ body, contentType = 'application/json', method, path, userAgent }: APIRequest): Promise<APIAnswer> {
    const { credentials, server } = this.#config;
    return new Promise((resolve, reject) => {
      const call = request(
        new URL(`${server}${path}`),
        {
          method,
          agent: this.#agent,
          headers: {
            accept: 'application/json',
            ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
            ...(body === undefined ? {} : { 'content-type': contentType }),
            ...(credentials.kind === 'token' ? { authorization: `Bearer ${credentials.token}` } : {}),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.once('error', reject);
          response.once('end', () => {
            const { headers, statusCode = 0 } = response;
            resolve({ status: statusCode, text, warnings: warningsIn(headers['warning']) });
          });
        },
      );
      call.once('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Waits for a call; an answer with this status is no failure of it. @throws whatever else it fails with */
export async function unlessAnswered(status: number, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof APIError && error.status === status)) throw error;
  }
}

/** The texts of a Warning header: `299 - "…", 299 - "…"`. */
function warningsIn(header: string | string[] | undefined): string[] {
  const all = [
    ...[header ?? []]
      .flat()
      .join(', ')
      .matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g),
  ];
  return all.map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}

function statusMessage(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
