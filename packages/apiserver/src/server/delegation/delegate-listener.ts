import { once } from 'node:events';
import { chmodSync, unlinkSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Server as TLSServer, TLSSocket } from 'node:tls';
import { isMainThread } from 'node:worker_threads';
import { messageOf } from '@kubechain/apimachinery';
import { checkTLSMaterial } from '../../certificates/check-tls-material.ts';
import { FileContent } from '../../files/file-content.ts';
import { unusableFlag } from '../../options/options-error.ts';
import { listen } from '../serving/listen.ts';
import { followResponse } from '../serving/open-responses.ts';
import { http1Limits } from '../serving/http1-limits.ts';
import type { ServerHandlers } from '../serving/secure-serving.ts';
import { VanishedPeers } from '../serving/vanished-peers.ts';
import { readFlagFile } from '../../options/read-flag-file.ts';
import type { DelegateAddress } from './delegate-address.ts';
import { LinkListener } from './link/link-listener.ts';
import { nodeHTTPS } from '../../certificates/node-tls.ts';

/** Where the process in front connects. */
export interface DelegateListenerOptions {
  readonly address: DelegateAddress;
  /** For `https:` addresses: the serving certificate, and who may connect. */
  readonly tls?: {
    readonly certFile: string;
    readonly keyFile: string;
    /** --requestheader-client-ca-file: only certificates of this CA get in. */
    readonly clientCAFile: string;
    /** --requestheader-allowed-names; empty: every certificate of the CA. */
    readonly allowedNames: readonly string[];
    /** How often the files are looked at for a change; default 5,000. */
    readonly lookMs?: number;
  };
}

// Not imported: an import reads all exports of node:http, and one of them loads undici (90 ms of a start).
const { createServer } = process.getBuiltinModule('node:http');

const listenFlag = 'delegate-listen';

/**
 * The listener for the process in front, whose word about users is believed. Who can connect is therefore decided
 * before HTTP: a unix socket of mode 0600, or TLS with a verified front-proxy client certificate.
 */
export class DelegateListener {
  readonly #options: DelegateListenerOptions;
  readonly #server: Server;
  readonly #material: FileContent<TLSMaterial> | undefined;
  readonly #links: LinkListener;
  #stopFollowing = (): void => undefined;
  #port = 0;

  /** @throws OptionsError for unusable TLS files */
  constructor(options: DelegateListenerOptions, handlers: ServerHandlers) {
    this.#options = options;
    // Never closes an idle connection on its own before the pool in front does; long uploads are not timed here.
    const http = { ...http1Limits, noDelay: true };
    this.#material = options.address.kind === 'unix' ? undefined : followMaterial(options);
    this.#server =
      this.#material === undefined ? createServer(http) : createTLS(options, { ...http, ...this.#material.current });
    // As the secure port: what that lets through has to get here.
    this.#server.maxHeadersCount = 0;
    this.#server.on('request', (request, response) => {
      if (followResponse(request, response)) handlers.request(request, response);
    });
    const vanished = new VanishedPeers();
    this.#server.on('secureConnection', (socket: TLSSocket) => {
      vanished.add(socket);
    });
    this.#links = new LinkListener(handlers.request);
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!this.#links.accept(request, socket, head)) handlers.upgrade(request, socket, head);
    });
  }

  /** The TCP port, after `listen`; 0 for unix sockets. */
  get port(): number {
    return this.#port;
  }

  /** @throws OptionsError that names the flag */
  async listen(): Promise<void> {
    const { address } = this.#options;
    if (address.kind === 'unix') await listenUnix(this.#server, address.path, listenFlag);
    else
      this.#port = await listen(this.#server, {
        host: address.hostname,
        port: address.port,
        portFlag: listenFlag,
        hostFlag: listenFlag,
      });
    // For connections to come; the process in front is not cut off.
    const follow = (material: TLSMaterial): void => {
      (this.#server as Server & TLSServer).setSecureContext(material);
    };
    this.#stopFollowing = this.#material?.follow(follow, this.#options.tls?.lookMs) ?? this.#stopFollowing;
  }

  /** No new connections; requests that are being answered go on. */
  stopAccepting(): void {
    this.#stopFollowing();
    this.#server.close();
    this.#server.closeIdleConnections();
    this.#links.stopAccepting();
  }

  /** Resolves when the processes in front have ended their links, after `stopAccepting`. */
  linksEnded(): Promise<void> {
    return this.#links.ended();
  }

  destroy(): void {
    this.#stopFollowing();
    this.#server.close();
    this.#server.closeAllConnections();
    this.#links.destroy();
  }
}

/** What a TLS listener is made of. */
interface TLSMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
  /** As `trustBundle`. */
  readonly allowPartialTrustChain: true;
  readonly minVersion: 'TLSv1.2';
}

function followMaterial({ tls }: DelegateListenerOptions): FileContent<TLSMaterial> {
  if (tls === undefined)
    throw unusableFlag(
      listenFlag,
      'an https listener needs --tls-cert-file, --tls-private-key-file and --requestheader-client-ca-file',
    );
  const { certFile, clientCAFile, keyFile } = tls;
  return new FileContent({
    paths: [certFile, keyFile, clientCAFile],
    read: () => {
      const material = {
        cert: readFlagFile(certFile, 'tls-cert-file'),
        key: readFlagFile(keyFile, 'tls-private-key-file'),
        ca: readFlagFile(clientCAFile, 'requestheader-client-ca-file'),
      };
      checkTLSMaterial({ ...material, flags: { cert: 'tls-cert-file', ca: 'requestheader-client-ca-file' } });
      return { ...material, allowPartialTrustChain: true, minVersion: 'TLSv1.2' };
    },
  });
}

function createTLS(options: DelegateListenerOptions, http: TLSMaterial): Server {
  const server = nodeHTTPS().createServer({ ...http, requestCert: true, rejectUnauthorized: true });
  const { allowedNames = [] } = options.tls ?? {};
  if (allowedNames.length > 0) {
    server.on('secureConnection', (socket: TLSSocket) => {
      const { subject } = socket.getPeerCertificate();
      const names = subject === undefined ? [] : [subject.CN].flat();
      if (!names.some((name) => name !== undefined && allowedNames.includes(name))) socket.destroy();
    });
  }
  return server;
}

/**
 * Listens on a unix socket of mode 0600, over one that a killed process has left behind.
 * @throws OptionsError that names the flag
 */
export async function listenUnix(server: Server, path: string, flag: string): Promise<void> {
  try {
    await listenAt(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE')
      throw unusableFlag(flag, `cannot listen on ${path}: ${messageOf(error)}`, error);
    if (await answers(path)) throw unusableFlag(flag, `${path} is in use by another process`, error);
    // Left behind by a process that was killed.
    unlinkSync(path);
    await listenAt(server, path);
  }
}

async function listenAt(server: Server, path: string): Promise<void> {
  // The socket is made while the mask is set, so that there is no moment in which others could connect.
  // A thread cannot set it for the process; its folder, of mode 0700, keeps others out there.
  const mask = isMainThread ? process.umask(0o177) : undefined;
  try {
    // A restarted process gets all watches of the one in front at once; the kernel caps this at somaxconn.
    server.listen({ path, backlog: 4_096 });
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  await once(server, 'listening');
  chmodSync(path, 0o600);
}

/** Whether somebody accepts connections at a path. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
