import { connect as connectSocket, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { DelegateAddress } from '../delegate-address.ts';
import { tlsTo, type HopTLS } from '../tls-to.ts';
import { connectionTo, whenConnected } from '../when-connected.ts';
import { ClientLink } from './client-link.ts';
import { linkProtocol } from './frames.ts';
import { ReadBuffers } from './read-buffers.ts';
import { nodeTLS } from '../../../certificates/node-tls.ts';

/** Where a link goes. */
export interface LinkTarget {
  readonly address: DelegateAddress;
  readonly tls?: HopTLS | undefined;
  readonly connectTimeoutMs: number;
  /** For its name to be found, hands to be shaken and the upgrade to be answered, each. Default: `connectTimeoutMs`. */
  readonly patienceMs?: number;
}

/** The target answers, but does not know of links: it is asked over plain HTTP. */
export class NoLinkError extends Error {
  override readonly name = 'NoLinkError';
}

const headEnd = Buffer.from('\r\n\r\n');
/** A head of this kind has a hundred bytes. */
const longestHeadBytes = 16 * 1024;

/**
 * Opens a link by an HTTP/1.1 upgrade on the target's delegate listener.
 * @throws NoLinkError when the target refuses; Error when it cannot be connected, or does not answer in time
 */
export function openLink(target: LinkTarget): Promise<ClientLink> {
  return new Promise((resolve, reject) => {
    const buffers = new ReadBuffers();
    let link: ClientLink | undefined;
    let head = Buffer.alloc(0);
    const onRead = (chunk: Buffer): void => {
      if (link !== undefined) {
        link.received(chunk);
        return;
      }
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(headEnd);
      if (end === -1) {
        if (head.length > longestHeadBytes) socket.destroy(new NoLinkError('no answer of HTTP'));
        return;
      }
      if (!head.toString('latin1', 0, 16).startsWith('HTTP/1.1 101 ')) {
        socket.destroy(new NoLinkError(head.toString('latin1', 0, head.indexOf(0x0d))));
        return;
      }
      clearTimeout(timer);
      socket.off('error', refused);
      socket.off('close', closed);
      link = new ClientLink(socket, buffers);
      const rest = head.subarray(end + headEnd.length);
      resolve(link);
      // A copy of its own: it does not lie in what is read into.
      if (rest.length > 0) link.received(rest);
    };
    const socket = connect(target, {
      buffer: () => buffers.next(),
      callback: (bytes: number, buffer: Uint8Array): boolean => {
        onRead(Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
        return true;
      },
    });
    const { address, connectTimeoutMs, patienceMs = connectTimeoutMs } = target;
    let timer: NodeJS.Timeout | undefined;
    const refused = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    const closed = (): void => {
      clearTimeout(timer);
      reject(new Error('connection closed'));
    };
    whenConnected(socket, { ...connectionTo(address), withinMs: connectTimeoutMs, patienceMs }, (error) => {
      if (error !== null) return;
      // After a blocked turn of the event loop timers run before sockets: an answer that is there is not called late.
      timer = setTimeout(() => {
        setImmediate(() => {
          if (link === undefined) socket.destroy(new Error('connection timed out'));
        });
      }, patienceMs);
    });
    socket.once('error', refused);
    socket.once('close', closed);
    socket.write(
      `GET /.kubechain/link HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${linkProtocol}\r\n\r\n`,
    );
  });
}

interface OnRead {
  readonly buffer: () => Buffer;
  readonly callback: (bytes: number, buffer: Uint8Array) => boolean;
}

function connect({ address, tls }: LinkTarget, onread: OnRead): Socket {
  if (address.kind === 'unix') return connectSocket({ path: address.path, onread });
  const socket = nodeTLS().connect({ ...tlsTo(address, tls), onread } as ConnectionOptions);
  socket.setNoDelay(true);
  return socket;
}
