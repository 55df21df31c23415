import { connect as connectHTTP2, type ClientHttp2Session } from 'node:http2';
import { request as httpsRequest, type Agent } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { readFileSync } from 'node:fs';
import type { RequestAuthenticator } from '../../authentication/authenticator.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { Config } from '../completed-config.ts';
import { completeConfig } from '../config.ts';
import type { DelegationTarget } from '../delegation-target.ts';
import type { GenericAPIServer } from '../generic-api-server.ts';
import type { ServingInfo } from '../prepared-server.ts';

const fixture = (name: string): string =>
  new URL(`../../authentication/x509/fixtures/${name}`, import.meta.url).pathname;
/** Certificate and key of `localhost` in one file. */
export const servingPEM = fixture('server.pem');
export const caPEM = fixture('ca.pem');
/** A front proxy's client certificate, and the authority that signed it. */
export const frontProxyPEM = fixture('front-proxy.pem');
export const proxyCAPEM = fixture('other-ca.pem');

/** The authority of the fixtures, read when asked for: packages that are published do not have them. */
export function fixtureAuthority(): Buffer {
  return readFileSync(caPEM);
}

/** `Authorization: Bearer alice` is alice in group devs, `Bearer admin` is in system:masters, anything else nobody. */
export const tokens: RequestAuthenticator = {
  authenticate(request) {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return { user: { name: 'system:anonymous', groups: ['system:unauthenticated'] } };
    if (token === 'bad') throw new TypeError('bad token');
    return {
      user: {
        name: token,
        groups: token === 'admin' ? ['system:masters', 'system:authenticated'] : ['devs', 'system:authenticated'],
      },
    };
  },
};

/** Only system:masters may do anything. */
export const mastersOnly: Authorizer = {
  authorize: ({ user }) => ({ decision: user.groups.includes('system:masters') ? 'Allow' : 'NoOpinion', reason: '' }),
};

/** A server that runs, and how to stop it. */
export interface RunningTestServer {
  readonly server: GenericAPIServer;
  readonly info: ServingInfo;
  /** Begins the shutdown and waits for its end. */
  stop(): Promise<void>;
  /** Begins the shutdown. */
  readonly abort: () => void;
  readonly stopped: Promise<void>;
}

/** Runs a server on free ports of 127.0.0.1. */
export async function runTestServer(
  config: Config,
  options: {
    readonly name?: string;
    readonly delegate?: DelegationTarget;
    readonly prepare?: (server: GenericAPIServer) => void;
  } = {},
): Promise<RunningTestServer> {
  const completed = completeConfig({
    serving: { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM } },
    authenticator: tokens,
    authorizer: mastersOnly,
    shutdownGraceMs: 2_000,
    ...config,
  });
  const server = completed.newServer(options.name ?? 'test', options.delegate);
  options.prepare?.(server);
  const controller = new AbortController();
  let stopped: Promise<void> | undefined;
  const info = await new Promise<ServingInfo>((resolve, reject) => {
    stopped = runAndClose(server, { signal: controller.signal, onListening: resolve, delegate: options.delegate });
    stopped.catch(reject);
  });
  const done = stopped as Promise<void>;
  const abort = (): void => {
    controller.abort();
  };
  return {
    server,
    info,
    abort,
    stopped: done,
    stop: async () => {
      abort();
      await done;
    },
  };
}

/** Who puts a server together closes what it was given. */
async function runAndClose(
  server: GenericAPIServer,
  options: {
    readonly signal: AbortSignal;
    readonly onListening: (info: ServingInfo) => void;
    readonly delegate: DelegationTarget | undefined;
  },
): Promise<void> {
  try {
    await server.prepareRun().run(options.signal, { onListening: options.onListening });
  } finally {
    await options.delegate?.close();
    await server.config.auditor?.close();
  }
}

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly trailers?: NodeJS.Dict<string>;
}

/** How to ask. */
export interface AskOptions {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

/** Asks over HTTP/1.1, with a connection of its own unless an agent is given. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', token = 'admin', headers = {}, body, agent }: AskOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
    const outgoing = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        ca: fixtureAuthority(),
        agent: agent ?? false,
        headers: { ...authorization, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
            trailers: response.trailers,
          });
        });
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** An HTTP/2 session to a server. */
export function connectH2(port: number): ClientHttp2Session {
  return connectHTTP2(`https://127.0.0.1:${port}`, { ca: fixtureAuthority() });
}

/** Asks over HTTP/2. */
export function askH2(
  session: ClientHttp2Session,
  path: string,
  { method = 'GET', token = 'admin', headers = {}, body }: AskOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request(
      { ':path': path, ':method': method, ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
      { endStream: body === undefined },
    );
    let received: IncomingHttpHeaders & { ':status'?: number } = {};
    const chunks: Buffer[] = [];
    stream.on('response', (head) => {
      received = head as typeof received;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      resolve({ status: received[':status'] ?? 0, headers: received, body: Buffer.concat(chunks).toString() });
    });
    stream.on('error', reject);
    if (body !== undefined) stream.end(body);
  });
}
