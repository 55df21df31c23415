import { connect as connectHTTP2, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTLS } from 'node:tls';

/** What came of one row: every status that was answered; a connection that only ended has none. */
export interface Outcome {
  readonly statuses: readonly number[];
  /** Beginning of the first answer, for findings. */
  readonly text: string;
}

/** A request as a row writes it. */
export interface HostileRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** How long anything may take that a row waits for; far above what it should. */
const patienceMs = 15_000;
const keptText = 4_000;

/** The chain, as an ordinary user reaches it, or nobody. */
export class Target {
  readonly port: number;
  /** Bearer token of the ordinary user; '' for nobody. */
  readonly token: string;

  constructor(port: number, token: string) {
    this.port = port;
    this.token = token;
  }

  get authorization(): string {
    return this.token === '' ? '' : `Authorization: Bearer ${this.token}\r\n`;
  }

  /** Writes bytes as they are to a TLS connection and reads until it ends, goes silent, or an answer is there. */
  raw(
    parts: readonly (string | Uint8Array)[],
    options: { readonly alpn?: string; readonly quietMs?: number } = {},
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      const socket = connectTLS({
        host: '127.0.0.1',
        port: this.port,
        rejectUnauthorized: false,
        ...(options.alpn === undefined ? {} : { ALPNProtocols: [options.alpn] }),
      });
      let text = '';
      const finish = (): void => {
        clearTimeout(deadline);
        clearTimeout(quiet);
        socket.destroy();
        resolve({ statuses: statusesIn(text), text: text.slice(0, keptText) });
      };
      const deadline = setTimeout(finish, patienceMs);
      let quiet = setTimeout(finish, options.quietMs ?? 4_000);
      socket.setEncoding('latin1');
      socket.on('data', (chunk: string) => {
        if (text.length < 1_000_000) text += chunk;
        clearTimeout(quiet);
        quiet = setTimeout(finish, 200);
      });
      socket.on('error', () => undefined);
      socket.on('close', finish);
      socket.once('secureConnect', () => {
        void (async () => {
          for (const part of parts) {
            if (socket.destroyed) return;
            if (!socket.write(part))
              await new Promise((drained) => socket.once('drain', drained).once('close', drained));
          }
        })();
      });
    });
  }

  /** Opens connections, writes the same to each, bit by bit, and leaves them; what comes back is not asked for. */
  async hold(
    count: number,
    parts: readonly (string | Uint8Array)[],
    options: { readonly alpn?: string; readonly pauseMs?: number } = {},
  ): Promise<Outcome> {
    const sockets = Array.from({ length: count }, () => {
      const socket = connectTLS({
        host: '127.0.0.1',
        port: this.port,
        rejectUnauthorized: false,
        ...(options.alpn === undefined ? {} : { ALPNProtocols: [options.alpn] }),
      });
      return socket.on('error', () => undefined);
    });
    for (const part of parts) {
      for (const socket of sockets) if (!socket.destroyed) socket.write(part);
      await delay(options.pauseMs ?? 50);
    }
    for (const socket of sockets) socket.destroy();
    return { statuses: [], text: '' };
  }

  /** Requests over one HTTP/2 connection, all at once. */
  async http2(requests: readonly HostileRequest[], use?: (session: ClientHttp2Session) => void): Promise<Outcome> {
    const session = connectHTTP2(`https://127.0.0.1:${this.port}`, {
      rejectUnauthorized: false,
      maxSessionMemory: 1_000,
    });
    session.on('error', () => undefined).setMaxListeners(0);
    use?.(session);
    try {
      const outcomes = await Promise.all(requests.map((request) => this.#stream(session, request)));
      return {
        statuses: outcomes.flatMap(({ statuses }) => statuses),
        text: outcomes[0]?.text ?? '',
      };
    } finally {
      session.destroy();
    }
  }

  #stream(session: ClientHttp2Session, { body, headers, method = 'GET', path }: HostileRequest): Promise<Outcome> {
    return new Promise((resolve) => {
      let status: number | undefined;
      let text = '';
      const finish = (): void => {
        clearTimeout(timer);
        resolve({ statuses: status === undefined ? [] : [status], text: `${status ?? ''} ${text}`.slice(0, keptText) });
        if (!stream?.destroyed) stream?.close();
      };
      const timer = setTimeout(finish, patienceMs);
      session.once('close', finish);
      let stream: ReturnType<ClientHttp2Session['request']> | undefined;
      try {
        stream = session.request({
          ':method': method,
          ':path': path,
          ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        });
      } catch (error) {
        text = String(error);
        finish();
        return;
      }
      stream.setEncoding('utf8');
      stream.on('response', (answer) => {
        status = answer[':status'];
        // A stream without an end has told enough.
        if (path.includes('watch=')) setTimeout(finish, 300);
      });
      stream.on('data', (chunk: string) => {
        if (text.length < keptText) text += chunk;
      });
      stream.on('error', () => undefined);
      stream.on('end', finish);
      stream.on('close', finish);
      stream.end(body);
    });
  }
}

function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));
}
