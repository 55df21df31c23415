import { readFileSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';

/** A client with the administrator's certificate over connections that stay open. */
export class Client {
  readonly #agent: Agent;
  readonly #options: RequestOptions;

  constructor(dataDir: string, port: number, connections: number) {
    const read = (name: string): Buffer => readFileSync(join(dataDir, 'pki', name));
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: connections,
      ca: read('ca.crt'),
      cert: read('admin.crt'),
      key: read('admin.key'),
    });
    this.#options = { agent: this.#agent, host: '127.0.0.1', port };
  }

  /** Resolves to the length of the answer's body. @throws TypeError for any status but 200 and 201 */
  async call(method: string, path: string, body?: string, headers: OutgoingHttpHeaders = {}): Promise<number> {
    let length = 0;
    await this.#exchange({ method, path, headers }, body, (chunk) => {
      length += chunk.length;
    });
    return length;
  }

  /** Resolves to the answer's body. @throws TypeError for any status but 200 */
  async text(path: string): Promise<string> {
    const chunks: Buffer[] = [];
    await this.#exchange({ method: 'GET', path, headers: {} }, undefined, (chunk) => {
      chunks.push(chunk);
    });
    return Buffer.concat(chunks).toString();
  }

  #exchange(
    {
      headers,
      method,
      path,
    }: { readonly method: string; readonly path: string; readonly headers: OutgoingHttpHeaders },
    body: string | undefined,
    take: (chunk: Buffer) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          ...this.#options,
          method,
          path,
          headers:
            body === undefined
              ? headers
              : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            take(chunk);
            if (response.statusCode! > 201) text += chunk.toString();
          });
          response.on('end', () => {
            if (response.statusCode! > 201) reject(new TypeError(`${method} ${path}: ${response.statusCode} ${text}`));
            else resolve();
          });
          response.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** A response that goes on; not of the agent, so that watches do not take the other requests' connections. */
  stream(path: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { ca, cert, key } = this.#agent.options;
      request({ ...this.#options, agent: false, ca, cert, key, path }, resolve)
        .on('error', reject)
        .end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
