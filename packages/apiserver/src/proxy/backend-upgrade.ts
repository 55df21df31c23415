import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { goErrorText } from '../services/go-error-text.ts';
import { dialAddress, dialBackend, paced, type Dialled } from './backend.ts';
import type { ExchangeEnd } from './exchange-end.ts';
import { ProxyError } from './proxy-error.ts';

/** An answer's head is read up to this size, as Node's own parser would. */
const maxHeadBytes = 64 << 10;

/** A backend's word on an upgrade. */
export interface BackendUpgrade {
  readonly backend: Dialled;
  readonly socket: Socket;
  readonly status: number;
  /** Lower-case names; of a repeated header the first value. */
  readonly headers: ReadonlyMap<string, string>;
  /** Everything read so far: the head as it came, and what followed it. */
  readonly bytes: Buffer;
  /** Length of the head, blank line included, at the beginning of `bytes`. */
  readonly headLength: number;
  readonly end: ExchangeEnd;
}

/** How long a refusal may stand still, in milliseconds. */
const refusalTimeoutMs = 10_000;

/** One upgrade request. */
export interface UpgradeRequest {
  readonly backend: Dialled;
  readonly method: string;
  /** Path and query as they are sent. */
  readonly target: string;
  /** With Host, Connection and Upgrade. */
  readonly headers: OutgoingHttpHeaders;
  /** What the client has sent after its request. */
  readonly head?: Buffer;
  /** How long the backend may take to answer, in milliseconds. Default: for ever. */
  readonly answerTimeoutMs?: number;
  /** Cuts the connection, also later. */
  readonly signal?: AbortSignal;
  /** Told when no connection comes of it, and later by whoever carries the bytes. */
  readonly end: ExchangeEnd;
}

/**
 * Asks a backend for another protocol over a connection of its own, and resolves with the head of its answer, the
 * socket paused behind it. The socket is the caller's then, errors included.
 * @throws ProxyError `error dialing backend: …`, `unexpected EOF`, `malformed HTTP response`
 */
export function openBackendUpgrade(request: UpgradeRequest): Promise<BackendUpgrade> {
  const { backend, end, signal } = request;
  return new Promise((resolve, fail) => {
    const reject = (error: ProxyError): void => {
      end.over({ kind: 'unreachable', error });
      fail(error);
    };
    let connected = false;
    const socket = dialBackend(backend, () => {
      connected = true;
      // Header values are bytes in the form of Latin-1 text, as Node gives and takes them.
      socket.write(requestHead(request), 'latin1');
      if (request.head !== undefined && request.head.length > 0) socket.write(request.head);
    });
    const failed = (error: Error): void => {
      const text = goErrorText(error, dialAddress(backend));
      reject(new ProxyError(connected ? text : `error dialing backend: ${text}`, { cause: error }));
    };
    const abort = (): void => {
      socket.destroy(new ProxyError('context canceled'));
    };
    const closed = (): void => {
      reject(new ProxyError('unexpected EOF'));
    };
    if (request.answerTimeoutMs !== undefined)
      socket.setTimeout(request.answerTimeoutMs, () => {
        socket.destroy(new DOMException('the server did not answer', 'TimeoutError'));
      });
    signal?.addEventListener('abort', abort, { once: true });
    socket.once('close', () => {
      signal?.removeEventListener('abort', abort);
    });
    socket.on('error', failed);
    socket.once('close', closed);
    readHead(socket, backend, (answer) => {
      socket.setTimeout(0);
      socket.off('error', failed);
      socket.off('close', closed);
      resolve({ ...answer, end });
    });
    if (signal?.aborted === true) abort();
  });
}

/** Calls back once when the head of the answer is complete. */
function readHead(socket: Socket, backend: Dialled, onHead: (answer: Omit<BackendUpgrade, 'end'>) => void): void {
  let bytes = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) {
      if (bytes.length > maxHeadBytes) socket.destroy(new ProxyError('the answer has no end of headers'));
      return;
    }
    socket.off('data', onData);
    socket.pause();
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(bytes.toString('latin1', 0, 16))?.[1];
    if (status === undefined)
      socket.destroy(
        new ProxyError(
          `malformed HTTP response ${JSON.stringify(bytes.toString('latin1', 0, Math.max(0, bytes.indexOf('\r\n'))))}`,
        ),
      );
    else
      onHead({
        backend,
        socket,
        status: Number(status),
        headers: parseHeaders(bytes.toString('latin1', 0, end)),
        bytes,
        headLength: end + 4,
      });
  };
  socket.on('data', onData);
}

function parseHeaders(head: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function requestHead({ method, target, headers }: UpgradeRequest): string {
  let text = `${method} ${target} HTTP/1.1\r\n`;
  for (const [name, value] of Object.entries(headers))
    for (const line of Array.isArray(value) ? value : [value])
      if (line !== undefined) text += `${name}: ${String(line).replaceAll(/[\r\n]/g, '')}\r\n`;
  return `${text}\r\n`;
}

/** The answers that end an upgrade instead of making it, and are neither refusals. @throws ProxyError */
export function checkUpgradeStatus({ end, socket, status }: BackendUpgrade): void {
  if (status === 101 || status >= 400) return;
  socket.destroy();
  end.over({ kind: 'refused' });
  throw new ProxyError(`invalid upgrade response: status code ${status}`);
}

/**
 * Hands the backend's answer to the client; after 101 bytes go through untouched both ways, a refusal is sent on to
 * its end. When either side ends, both do.
 */
export function spliceBackend({ backend, end, socket, status, bytes }: BackendUpgrade, client: Duplex): void {
  const target = status === 101 ? paced(socket, backend) : socket;
  if (status !== 101) end.because({ kind: 'refused' });
  target.on('error', (error) => {
    end.because({ kind: 'broken', error });
    client.destroy();
  });
  target.once('end', () => {
    end.because({ kind: 'completed' });
  });
  target.once('close', () => {
    end.over({ kind: 'completed' });
    if (!client.writableEnded) client.end();
  });
  const left = (): void => {
    end.because({ kind: 'client_left' });
  };
  client.once('end', left);
  client.on('error', () => {
    left();
    target.destroy();
  });
  client.once('close', () => {
    left();
    target.destroy();
  });
  if (target.destroyed || client.destroyed) {
    target.destroy();
    client.destroy();
    end.over({ kind: 'client_left' });
    return;
  }
  client.write(bytes);
  target.pipe(client);
  // A refusal has an end, the connection that it came on may have none.
  if (status !== 101)
    socket.setTimeout(refusalTimeoutMs, () => {
      target.destroy();
    });
  if (status === 101) client.pipe(target);
}
