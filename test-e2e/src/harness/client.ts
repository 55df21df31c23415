import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { randomBytes } from 'node:crypto';
import { parse } from 'yaml';
import { WebSocketClient } from './web-socket.ts';

/** Who a request is made as: the kubeconfig's client certificate, a bearer token, or nobody. */
export type Identity =
  | { readonly kind: 'certificate'; readonly cert: string; readonly key: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'anonymous' };

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** Parsed when the answer is JSON; undefined otherwise. */
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- tests look into arbitrary answers
}

export interface CallOptions {
  /** Texts and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: Identity;
  /** Default 60,000. A test that waits longer than that for an answer has found a hang, however busy the machine. */
  readonly timeoutMs?: number;
}

/** A stream of watch events being read. */
export interface WatchStream {
  readonly events: { type: string; object: any }[]; // oxlint-disable-line typescript/no-explicit-any -- as above
  /**
   * Resolves when `count` events have arrived; rejects after `timeoutMs` (default 60,000) or when the stream ends
   * before.
   */
  atLeast(count: number, timeoutMs?: number): Promise<void>;
  readonly ended: Promise<void>;
  close(): void;
}

/** A plain HTTP client of one server: what it sends and gets is exactly what goes over the wire. */
export class Client {
  readonly #base: URL;
  readonly #identity: Identity;
  readonly #agents = new Map<Identity, https.Agent>();

  constructor(url: string, identity: Identity) {
    this.#base = new URL(url);
    this.#identity = identity;
  }

  /** The client of a written kubeconfig's current user. */
  static fromKubeconfig(file: string): Client {
    return new Client(readKubeconfig(file).clusters[0]?.cluster.server ?? '', Client.identityOf(file));
  }

  /** The current user of a written kubeconfig, with a client certificate. */
  static identityOf(file: string): Identity {
    const user = readKubeconfig(file).users[0]?.user ?? {};
    const decode = (field: string): string => Buffer.from(user[field] ?? '', 'base64').toString('utf8');
    return { kind: 'certificate', cert: decode('client-certificate-data'), key: decode('client-key-data') };
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { request, payload } = this.#open(method, path, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          const json = /json/.test(response.headers['content-type'] ?? '');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            bytes,
            body: json ? readJSON(text) : undefined,
          });
        });
      });
      request.setTimeout(options.timeoutMs ?? 60_000, () =>
        request.destroy(new Error(`${method} ${path}: no answer in time`)),
      );
      request.on('error', reject);
      request.end(payload);
    });
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', path, options);
  }
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('POST', path, { ...options, body });
  }
  put(path: string, body: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('PUT', path, { ...options, body });
  }
  delete(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('DELETE', path, options);
  }
  patch(
    path: string,
    type: 'json-patch' | 'merge-patch' | 'strategic-merge-patch' | 'apply-patch',
    body: unknown,
    options?: CallOptions,
  ): Promise<Answer> {
    return this.call('PATCH', path, {
      ...options,
      body,
      headers: {
        ...options?.headers,
        'content-type': `application/${type}+${type === 'apply-patch' ? 'yaml' : 'json'}`,
      },
    });
  }

  /** Opens a watch; rejects when the answer is not 200. */
  async watch(path: string, options: CallOptions = {}): Promise<WatchStream> {
    return new Promise((resolve, reject) => {
      const events: WatchStream['events'] = [];
      const waiting = new Set<() => void>();
      const { request, payload } = this.#open('GET', path, options, (response) => {
        if (response.statusCode !== 200) {
          reject(new Error(`watch ${path}: ${response.statusCode}`));
          response.resume();
          return;
        }
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) if (line !== '') events.push(JSON.parse(line) as WatchStream['events'][number]);
          for (const wake of waiting) wake();
        });
        let isEnded = false;
        const ended = new Promise<void>((done) =>
          response.once('close', () => {
            isEnded = true;
            done();
            for (const wake of waiting) wake();
          }),
        );
        response.on('error', () => undefined);
        resolve({
          events,
          ended,
          close: () => {
            request.destroy();
          },
          atLeast: (count, timeoutMs = 60_000) =>
            new Promise((done, failed) => {
              const timer = setTimeout(() => {
                waiting.delete(check);
                failed(
                  new Error(
                    `${events.length} of ${count} events after ${timeoutMs} ms: ` +
                      `${JSON.stringify(events).slice(0, 500)}`,
                  ),
                );
              }, timeoutMs);
              const check = (): void => {
                if (events.length < count && !isEnded) return;
                clearTimeout(timer);
                waiting.delete(check);
                if (events.length >= count) done();
                else failed(new Error(`the watch ended after ${events.length} of ${count} events`));
              };
              waiting.add(check);
              check();
            }),
        });
      });
      request.on('error', reject);
      request.end(payload);
    });
  }

  /** Opens a WebSocket; resolves to the plain answer instead when the server refuses. */
  async webSocket(path: string, options: CallOptions = {}): Promise<WebSocketClient | Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        origin: 'https://kubechain.test',
        ...options.headers,
      };
      const { request } = this.#open('GET', path, { ...options, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        const done = (): void => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            bytes,
            body: text.startsWith('{') ? (JSON.parse(text) as unknown) : undefined,
          });
        };
        // Refusals of the handshake have no length: the connection ends them.
        response.on('end', done);
        response.on('error', done);
      });
      request.once('upgrade', (response, socket, head) => {
        resolve(new WebSocketClient(socket, head, response.headers));
      });
      request.on('error', reject);
      request.end();
    });
  }

  /**
   * Asks until `accept` is content with an answer; rejects with the last one after `timeoutMs`. Refused connections
   * count as no answer yet.
   */
  async until(path: string, accept: (answer: Answer) => boolean, timeoutMs = 60_000): Promise<Answer> {
    const deadline = Date.now() + timeoutMs;
    let last: unknown;
    while (Date.now() < deadline) {
      try {
        const answer = await this.get(path);
        if (accept(answer)) return answer;
        last = `${answer.status} ${answer.text.slice(0, 500)}`;
      } catch (error) {
        last = error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`GET ${path} did not become what was expected: ${String(last)}`);
  }

  /** Closes idle connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #open(
    method: string,
    path: string,
    options: CallOptions,
    onResponse: (response: http.IncomingMessage) => void,
  ): { request: http.ClientRequest; payload: string | Uint8Array | undefined } {
    const identity = options.as ?? this.#identity;
    const payload =
      options.body === undefined
        ? undefined
        : typeof options.body === 'string' || options.body instanceof Uint8Array
          ? options.body
          : JSON.stringify(options.body);
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    };
    if (identity.kind === 'token') headers['authorization'] = `Bearer ${identity.token}`;
    if (payload !== undefined) headers['content-length'] = String(Buffer.byteLength(payload));
    const common = { host: this.#base.hostname, port: this.#base.port, method, path, headers };
    const request =
      this.#base.protocol === 'http:'
        ? http.request(common, onResponse)
        : https.request({ ...common, agent: this.#agent(identity), rejectUnauthorized: false }, onResponse);
    return { request, payload };
  }

  #agent(identity: Identity): https.Agent {
    let agent = this.#agents.get(identity);
    if (agent === undefined) {
      agent = new https.Agent({
        keepAlive: true,
        ...(identity.kind === 'certificate' ? { cert: identity.cert, key: identity.key } : {}),
      });
      this.#agents.set(identity, agent);
    }
    return agent;
  }
}

/** Undefined for what is no JSON, or several objects, as a watch's. */
function readJSON(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function readKubeconfig(file: string): {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
} {
  return parse(readFileSync(file, 'utf8')) as ReturnType<typeof readKubeconfig>;
}
