import type { ClientRequest } from 'node:http';
import type { DelegateAddress } from './delegate-address.ts';
import { tlsTo, type HopTLSSource } from './tls-to.ts';
import { unixConnector, type HopConnector } from './unix-connector.ts';
import { connectionTo, whenConnected, type ConnectLimits } from './when-connected.ts';
import { nodeTLS } from '../../certificates/node-tls.ts';

// Not imported: an import reads all exports of node:http, and one of them loads undici (90 ms of a start).
const { Agent, request } = process.getBuiltinModule('node:http');

/** How connections to the next process are made. */
export interface HopClientOptions {
  readonly address: DelegateAddress;
  readonly tls?: HopTLSSource;
  readonly connectTimeoutMs: number;
  /** For names to be found and hands to be shaken, each. Default: `connectTimeoutMs`. */
  readonly patienceMs?: number;
}

/** A request to the next process. */
export interface HopRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn, as bytes in the form of Latin-1 text. */
  readonly fields: readonly string[];
  /** Whether a body is written to it; its length may be among the fields. */
  readonly hasBody: boolean;
}

/** Keep-alive of idle connections; the listener never closes them first, so no request races with a close. */
const idleMs = 30_000;

/**
 * Asks the next process over HTTP/1.1: as many connections as there are requests that are being answered, idle ones
 * are used again. What little goes this way does not need more: requests take the link.
 */
export class HopClient {
  readonly #agent = new Agent({ keepAlive: true, timeout: idleMs });
  #closed = false;

  constructor({ address, connectTimeoutMs, patienceMs, tls = () => ({}) }: HopClientOptions) {
    const connect =
      address.kind === 'unix'
        ? unixConnector(address.path, connectTimeoutMs)
        : tlsConnector(address, tls, {
            withinMs: connectTimeoutMs,
            ...(patienceMs === undefined ? {} : { patienceMs }),
          });
    this.#agent.createConnection = (options, callback) => {
      connect(options, (error, socket) => {
        if (!this.#closed || socket === null) callback?.(error, socket as never);
        else {
          socket.destroy();
          callback?.(new Error('the server is shutting down'), undefined as never);
        }
      });
      return undefined;
    };
  }

  /**
   * Begins a request. Its `error` event tells of what is wrong before the answer, of a connection that could not be
   * made as well.
   * @throws TypeError when a path or a field cannot be sent
   */
  request({ fields, hasBody, method, path }: HopRequest): ClientRequest {
    const headers = [...fields];
    if (!has(fields, 'host')) headers.push('Host', 'localhost');
    if (!has(fields, 'content-length')) {
      // Left to Node, it would depend on the method.
      if (hasBody) headers.push('Transfer-Encoding', 'chunked');
      else if (method !== 'GET' && method !== 'HEAD') headers.push('Content-Length', '0');
    }
    return request({ agent: this.#agent, method, path, headers });
  }

  /** Ends everything that is under way. */
  close(): void {
    this.#closed = true;
    this.#agent.destroy();
  }
}

function has(fields: readonly string[], name: string): boolean {
  for (let i = 0; i < fields.length; i += 2) if ((fields[i] as string).toLowerCase() === name) return true;
  return false;
}

function tlsConnector(
  address: DelegateAddress & { readonly kind: 'https' },
  tls: HopTLSSource,
  limits: ConnectLimits,
): HopConnector {
  return (_options, callback) => {
    const socket = nodeTLS().connect(tlsTo(address, tls()));
    socket.setNoDelay(true);
    whenConnected(socket, { ...limits, ...connectionTo(address) }, (error) => {
      if (error === null) callback(null, socket);
      else callback(error, null);
    });
  };
}
