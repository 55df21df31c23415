import { Agent, request } from 'node:https';
import { LaunchError } from '../launch-error.ts';
import type { ClientConfig } from './client-config.ts';

/** A request that carries JSON. */
export interface APIRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** An answer that is no success. */
export class APIError extends LaunchError {
  readonly status: number;
  constructor(status: number, message: string) {
    super('Process', message);
    this.status = status;
  }
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
  send<T>({ body, contentType = 'application/json', method, path }: APIRequest): Promise<T> {
    const { credentials, server } = this.#config;
    return new Promise((resolve, reject) => {
      const call = request(
        new URL(path, server),
        {
          method,
          agent: this.#agent,
          headers: {
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': contentType }),
            ...(credentials.kind === 'token' ? { authorization: `Bearer ${credentials.token}` } : {}),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.once('error', reject);
          response.once('end', () => {
            const { statusCode = 0 } = response;
            if (statusCode < 300) resolve(JSON.parse(text) as T);
            else reject(new APIError(statusCode, messageOf(text) ?? `${method} ${path}: ${statusCode}`));
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

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
