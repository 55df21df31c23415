import { connect as connectSocket, type NetConnectOpts, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { goQuote } from '@kubechain/apimachinery';
import { goErrorText } from '../services/go-error-text.ts';
import { EgressError } from './egress-error.ts';
import { nodeTLS } from '../certificates/node-tls.ts';

/** A proxy that is asked by CONNECT, and how errors name it: the path of its unix socket, or `host:port`. */
export interface ConnectProxy {
  readonly name: string;
  /** Path, or host and port. */
  readonly at: NetConnectOpts;
  /** Of a proxy that is spoken with over TLS. */
  readonly tls?: ConnectionOptions;
}

/** Most bytes of an answer's head (net/http DefaultMaxHeaderBytes). */
const maxHeadBytes = 1 << 20;

/**
 * Asks a proxy for a connection to `address` (`host:port`) and resolves to it
 * (apiserver/pkg/server/egressselector tunnelHTTPConnect, 1.36).
 * @throws EgressError `proxy error from …`, `reading HTTP response from CONNECT …`; `dial …` where there is no proxy
 */
export function connectThrough(proxy: ConnectProxy, address: string, signal: AbortSignal): Promise<Socket> {
  const { at, name, tls } = proxy;
  return new Promise((resolve, reject) => {
    let connected = false;
    const socket = tls === undefined ? connectSocket(at) : nodeTLS().connect({ ...at, ...tls });
    const abort = (): void => {
      socket.destroy(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    };
    const fail = (error: Error): void => {
      const text = 'path' in at ? unixErrorText(error, name) : goErrorText(error, name);
      reject(
        connected
          ? new EgressError(unread(address, name, text), { cause: error })
          : new EgressError(text, { cause: error, stage: 'connect' }),
      );
    };
    const closed = (): void => {
      reject(new EgressError(unread(address, name, 'unexpected EOF')));
    };
    const settle = (): void => {
      signal.removeEventListener('abort', abort);
      socket.off('error', fail);
      socket.off('close', closed);
    };
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
      connected = true;
      socket.write(`CONNECT ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    });
    socket.on('error', fail);
    socket.once('close', closed);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    readHead(socket, (answer) => {
      const problem = problemOf(answer, { address, name });
      if (problem === undefined) {
        settle();
        resolve(socket);
        return;
      }
      reject(new EgressError(problem));
      socket.destroy();
    });
  });
}

/** The head of an answer without its blank line, and how much came after it; `cut`: it is too long. */
interface Answer {
  readonly head: string;
  readonly rest: number;
  readonly cut: boolean;
}

/** Calls back once when the head is complete or too long; the socket is paused then. */
function readHead(socket: Socket, onHead: (answer: Answer) => void): void {
  let bytes = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0 && bytes.length <= maxHeadBytes) return;
    socket.off('data', onData);
    socket.pause();
    onHead({ head: bytes.toString('latin1', 0, Math.max(end, 0)), rest: bytes.length - end - 4, cut: end < 0 });
  };
  socket.on('data', onData);
}

function problemOf(
  { cut, head, rest }: Answer,
  { address, name }: { readonly address: string; readonly name: string },
): string | undefined {
  if (cut) return unread(address, name, 'unexpected EOF');
  const line = head.split('\r\n')[0] ?? '';
  const [, status = '', reason = ''] = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(line) ?? [];
  if (status === '') return unread(address, name, `malformed HTTP response ${goQuote(line)}`);
  if (status !== '200')
    return `proxy error from ${name} while dialing ${address}, code ${Number(status)}: ${`${status} ${reason}`.trim()}`;
  // Whoever is behind the proxy does not speak first: such bytes are the proxy's own.
  return rest > 0 ? `unexpected ${rest} bytes of buffered data from CONNECT proxy ${goQuote(name)}` : undefined;
}

function unread(address: string, name: string, reason: string): string {
  return `reading HTTP response from CONNECT to ${address} via proxy ${name} failed: ${reason}`;
}

const unixTexts: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ECONNREFUSED: 'connection refused',
  EACCES: 'permission denied',
};

function unixErrorText(error: Error, path: string): string {
  const text = unixTexts[(error as NodeJS.ErrnoException).code ?? ''];
  return text === undefined ? goErrorText(error, path) : `dial unix ${path}: connect: ${text}`;
}
