import { Agent, request } from 'node:https';
import type { ClientConfig } from './client-config.ts';
import { JSONClient, warningsIn, type APIAnswer, type APIRequest } from './json-client.ts';

/** Asks over HTTPS. Connections are kept until `close`. */
export class APIClient extends JSONClient {
  readonly #config: ClientConfig;
  readonly #agent: Agent;

  constructor(config: ClientConfig) {
    super();
    this.#config = config;
    const { caCertificate, credentials, serverName } = config;
    this.#agent = new Agent({
      keepAlive: true,
      ca: caCertificate,
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(credentials.kind === 'certificate' ? { cert: credentials.cert, key: credentials.key } : {}),
    });
  }

  override ask({ body, contentType = 'application/json', method, path, userAgent }: APIRequest): Promise<APIAnswer> {
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
