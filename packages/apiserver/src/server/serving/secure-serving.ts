import { limits } from '@kubechain/apimachinery';
import type { ServerHttp2Session } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext, SecureVersion, Server as TLSServer } from 'node:tls';
import { CLIENT_CERTIFICATE_TLS_OPTIONS } from '../../authentication/x509/client-certificate.ts';
import { Logger } from '../../logging/logger.ts';
import type { Handler } from '../../request/filter.ts';
import { Arrivals } from '../../request/arrivals.ts';
import { takeConnectionsInTurns } from './connection-arrivals.ts';
import { ConnectionEnds } from './connection-ends.ts';
import { ConnectionsPerClient } from './connections-per-client.ts';
import { http1Limits } from './http1-limits.ts';
import { endLeftBody } from './left-body.ts';
import { isBehindLast, linger } from './linger.ts';
import { listen } from './listen.ts';
import { malformed, refuseExpectation, refuseMalformed, refuseUnreadable } from './malformed-requests.ts';
import { followResponse, isOpen, whenAnswered } from './open-responses.ts';
import { Pipelines } from './pipelines.ts';
import { StreamReads } from './stream-reads.ts';
import { ServingCertificates, type AuthorityFile, type CertificateFiles } from './serving-certificates.ts';
import { rememberTLSSocket, tlsSocketOf } from '../../request/tls-socket.ts';
import { neverPauseParser } from './unpaused-parser.ts';
import { VanishedPeers } from './vanished-peers.ts';
import { nodeHTTPS, nodeTLS } from '../../certificates/node-tls.ts';

/** The secure port. */
export interface SecureServingOptions {
  /** --bind-address. */
  readonly host: string;
  /** --secure-port; 0 chooses a free one. */
  readonly port: number;
  readonly certificate: CertificateFiles;
  readonly sniCertificates?: readonly CertificateFiles[];
  /** --permit-port-sharing. */
  readonly reusePort?: boolean;
  /** Whether clients are asked for a certificate; default true. */
  readonly requestClientCertificates?: boolean;
  /** Bundles whose authorities clients are told as acceptable (--client-ca-file, --requestheader-client-ca-file). */
  readonly clientAuthorities?: readonly AuthorityFile[];
  /** --tls-min-version, default TLSv1.2. */
  readonly minVersion?: SecureVersion;
  /** --tls-cipher-suites, OpenSSL names joined by `:`. */
  readonly ciphers?: string;
  /** --tls-curve-preferences, OpenSSL names joined by `:`. */
  readonly curves?: string;
  /** --disable-http2-serving. */
  readonly disableHTTP2?: boolean;
  /** --http2-max-streams-per-connection, default 100. */
  readonly maxStreamsPerConnection?: number;
  /** --max-connections-per-client, 0 is any number; default 10,000. */
  readonly maxConnectionsPerClient?: number;
}

/** What a listener does with what it accepts. */
export interface ServerHandlers {
  readonly request: Handler;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

const log = new Logger('serving');

/**
 * Ms of silence before a connection is probed (apiserver/pkg/server/secure_serving.go, defaultKeepAlivePeriod).
 */
const keepAliveMs = 180_000;
/** Node's, but with AES of 128 bits first, as Go's crypto/tls chooses where processors have instructions for it. */
const first = 'TLS_AES_128_GCM_SHA256';
const defaultCiphers = (): string =>
  [
    first,
    ...nodeTLS()
      .DEFAULT_CIPHERS.split(':')
      .filter((name) => name !== first),
  ].join(':');
/** Upload window per stream, as upstream sizes it: 256 KiB holds 99 % of all objects. */
const streamWindowBytes = 256 * 1024;

/**
 * TLS listener for HTTP/1.1 and HTTP/2 on one port, by ALPN. HTTP/2 requests come through Node's compatibility API, so
 * all handlers see one kind of request. Client certificates are asked for and not judged: authentication does that.
 */
export class SecureServing {
  readonly #options: SecureServingOptions;
  readonly #certificates: ServingCertificates;
  readonly #server: TLSServer;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #pipelines = new Pipelines();
  readonly #reads = new StreamReads();
  #port = 0;
  #handshakeErrors = 0;
  /** PEM that is shown instead of the main certificate; for the same key. */
  #shown: string | undefined = undefined;

  /** @throws OptionsError for unusable certificates */
  constructor(options: SecureServingOptions, handlers: ServerHandlers) {
    this.#options = options;
    this.#certificates = certificatesOf(options);
    this.#server = createListener(options, this.#certificates);
    this.#limitConnections(options.maxConnectionsPerClient ?? limits.connectionsPerClient.value);
    this.#takeRequests(handlers.request);
    this.#refuseExpectations();
    this.#takeUpgrades(handlers.upgrade);
    this.#takeTunnels(handlers.request);
    this.#followSessions();
    this.#followSockets();
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const refuse = (): void => {
        refuseUnreadable(error, socket);
      };
      if (!this.#pipelines.excuse(socket, error.code, refuse)) refuse();
    });
  }

  #limitConnections(perClient: number): void {
    const connections = new ConnectionsPerClient(perClient);
    takeConnectionsInTurns(this.#server, {
      accepts: (socket) => {
        // Node does so for HTTP/2 and for servers of HTTP/1.1 alone, not for HTTP/1.1 on a server of both: the end of
        // an answer waited up to 40 ms for the client to acknowledge what came before.
        socket.setNoDelay(true);
        return connections.add(socket);
      },
      taken: (socket) => {
        this.#reads.follow(socket);
      },
    });
  }

  #takeRequests(take: Handler): void {
    const arrivals = new Arrivals<Socket>();
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      contain(socket, () => {
        if (isBehindLast(request) || !followResponse(request, response)) return;
        if (request.httpVersionMajor === 1) this.#pipelines.add(socket, response);
        const mistake = malformed(request);
        if (mistake !== undefined) {
          refuseMalformed(request, response, mistake);
          return;
        }
        endLeftBody(request, response);
        // What Go's server answers by itself (net/http server.go, globalOptionsHandler).
        if (request.url === '*' && request.method === 'OPTIONS') response.setHeader('content-length', '0').end();
        else
          arrivals.take(tlsSocketOf(request) ?? socket, (waited) => {
            contain(socket, () => {
              if (!waited || isOpen(request, response)) take(request, response);
            });
          });
      });
    });
  }

  /** What a request expects besides `100-continue`: of HTTP/2, and where nothing stands there, Go's server has no look. */
  #refuseExpectations(): void {
    this.#server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      if (request.httpVersionMajor > 1 || request.headers.expect === '')
        this.#server.emit('request', request, response);
      else if (followResponse(request, response)) refuseExpectation(request, response);
    });
  }

  #takeUpgrades(take: ServerHandlers['upgrade']): void {
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      contain(socket, () => {
        const rest = this.#pipelines.leave(socket);
        if (malformed(request) === undefined)
          take(request, socket, rest.length > 0 ? Buffer.concat([head, rest]) : head);
        else refuseUnreadable(new Error('malformed upgrade'), socket);
      });
    });
  }

  /**
   * Requests for a tunnel (CONNECT) are requests like all others, as for Go's server; behind their answer the
   * connection of HTTP/1.1 ends, which Node's parser has left.
   */
  #takeTunnels(take: Handler): void {
    this.#server.on('connect', (request: IncomingMessage, peer: Socket | ServerResponse) => {
      if (request.httpVersionMajor > 1) {
        // As Node's where nobody listens.
        (peer as ServerResponse).writeHead(405).end();
        return;
      }
      const socket = peer as Socket;
      this.#pipelines.leave(socket);
      whenAnswered(request, socket, () => {
        contain(socket, () => {
          if (isBehindLast(request)) return;
          // Imported, the module would load all that it exports.
          const response = new (process.getBuiltinModule('node:http').ServerResponse)(request);
          response.shouldKeepAlive = false;
          response.assignSocket(socket);
          response.once('finish', () => {
            response.detachSocket(socket);
            linger(socket);
          });
          if (!followResponse(request, response)) return;
          const mistake = malformed(request);
          if (mistake === undefined) take(request, response);
          else refuseMalformed(request, response, mistake);
        });
      });
    });
  }

  /** Keeps the HTTP/2 sessions, so that they can be told to go elsewhere. */
  #followSessions(): void {
    this.#server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.once('close', () => {
        this.#sessions.delete(session);
      });
      // A connection's window, not only its streams': 64 KiB would make one upload block all others.
      session.setLocalWindowSize(streamWindowBytes * 250);
      closeWhenIdle(session);
      this.#reads.followSession(session);
    });
    this.#server.on('sessionError', () => {
      /* the session closes by itself */
    });
  }

  #followSockets(): void {
    const ends = new ConnectionEnds();
    const vanished = new VanishedPeers();
    this.#server.on('secureConnection', (socket) => {
      rememberTLSSocket(socket);
      neverPauseParser(socket);
      if (socket.alpnProtocol === 'h2') ends.follow(socket);
      else {
        this.#reads.leave(socket);
        this.#pipelines.follow(socket);
      }
      vanished.add(socket);
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
      });
    });
    this.#server.on('tlsClientError', () => {
      this.#handshakeErrors++;
    });
  }

  /** After `listen`. */
  get port(): number {
    return this.#port;
  }

  /** Number of connections whose TLS handshake failed. */
  get handshakeErrors(): number {
    return this.#handshakeErrors;
  }

  /** @throws OptionsError that names the flag */
  async listen(): Promise<void> {
    this.#port = await listen(this.#server, {
      host: this.#options.host,
      port: this.#options.port,
      portFlag: 'secure-port',
      hostFlag: 'bind-address',
      reusePort: this.#options.reusePort ?? false,
    });
    this.#certificates.watch(() => {
      this.#showCertificate();
    });
  }

  /**
   * Shows new connections another certificate for the key of the main one; undefined: the main one again. Idle
   * connections are closed, so that their clients connect anew.
   */
  show(pem: string | undefined): void {
    this.#shown = pem;
    this.#showCertificate();
    for (const session of this.#sessions) session.close();
    closeIdle(this.#server);
  }

  #showCertificate(): void {
    const { main } = this.#certificates;
    this.#server.setSecureContext(this.#shown === undefined ? main : { ...main, cert: this.#shown });
  }

  /** No new connections; idle ones are closed, HTTP/2 clients are told to go elsewhere. Requests go on. */
  stopAccepting(): void {
    this.#certificates.close();
    this.#server.close();
    for (const session of this.#sessions) session.close();
    closeIdle(this.#server);
  }

  /** Closes all connections at once, whatever is under way on them. */
  destroy(): void {
    this.#certificates.close();
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** @throws OptionsError for unusable certificates */
function certificatesOf(options: SecureServingOptions): ServingCertificates {
  return new ServingCertificates({
    main: options.certificate,
    sni: options.sniCertificates ?? [],
    tls: {
      minVersion: options.minVersion ?? 'TLSv1.2',
      ciphers: options.ciphers ?? defaultCiphers(),
      ...(options.curves === undefined ? {} : { ecdhCurve: options.curves }),
    },
    clientAuthorities: options.clientAuthorities ?? [],
  });
}

/** The server that is to listen: of HTTP/1.1 and HTTP/2, or of HTTP/1.1 alone. */
function createListener(options: SecureServingOptions, certificates: ServingCertificates): TLSServer {
  const tls = {
    ...http1Limits,
    // Those without a host are refused in the reference's words (malformed-requests.ts).
    requireHostHeader: false,
    pauseOnConnect: true,
    insecureHTTPParser: false,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
    ...((options.sniCertificates ?? []).length === 0
      ? {}
      : {
          SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
            done(null, certificates.contextFor(name));
          },
        }),
    ...(options.requestClientCertificates === false ? {} : CLIENT_CERTIFICATE_TLS_OPTIONS),
    ...certificates.main,
  };
  // Node's HTTP/2 server cannot be kept from offering h2.
  const server =
    options.disableHTTP2 === true
      ? nodeHTTPS().createServer(tls)
      : // Loaded by those who listen to clients: servers behind others do not.
        process.getBuiltinModule('node:http2').createSecureServer({
          ...tls,
          allowHTTP1: true,
          maxHeaderListPairs: 1_000,
          settings: {
            maxConcurrentStreams: options.maxStreamsPerConnection ?? limits.streamsPerConnection.value,
            initialWindowSize: streamWindowBytes,
            maxHeaderListSize: http1Limits.maxHeaderSize,
            enablePush: false,
          },
        });
  // A server of both protocols takes these as properties only.
  return Object.assign(server, {
    keepAliveTimeout: http1Limits.keepAliveTimeout,
    // Its default. Node 22.19.0 and 24.6 to 24.7 add it unset, and end with the first HTTP/1.1 request (nodejs/node
    // issue 59772).
    keepAliveTimeoutBuffer: 1_000,
    requestTimeout: http1Limits.requestTimeout,
    headersTimeout: http1Limits.headersTimeout,
    // Their bytes are limited: a request may name thousands of groups to impersonate.
    maxHeadersCount: 0,
  });
}

/** Makes an exception while taking a request end its connection; thrown from a listener it would end the process. */
function contain(socket: Socket, take: () => void): void {
  try {
    take();
  } catch (error) {
    log.error('a request could not be taken', error);
    socket.destroy();
  }
}

/** Closes a session that is idle: without a stream, since a watch without events is one. */
function closeWhenIdle(session: ServerHttp2Session): void {
  let streams = 0;
  session.on('stream', (stream) => {
    streams++;
    stream.once('close', () => {
      streams--;
    });
  });
  session.setTimeout(http1Limits.keepAliveTimeout, () => {
    if (streams === 0) session.close();
  });
}

function closeIdle(server: object): void {
  (server as { closeIdleConnections?: () => void }).closeIdleConnections?.();
}
