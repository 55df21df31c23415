import type { Socket } from 'node:net';
import { isReadInPieces, readPiece } from './request-pieces.ts';

/** Ms between two checks whether the peers of connections are still there. */
const askMs = 1_000;

/** The libuv handle of a connection; pipes have no peer names. */
interface StreamHandle {
  getpeername?(into: object): number;
  readStart?(): number;
}

/**
 * Destroys connections that the system has ended without Node noticing. Node notices only when it reads or writes, and
 * it may do neither: it stops reading while a body waits for its reader or an answer for its client, and an HTTP/2
 * session whose write fails at once never reads again.
 */
export class VanishedPeers {
  readonly #sockets = new Set<Socket>();
  #asking: NodeJS.Timeout | undefined = undefined;

  /** Follows a connection until it closes. */
  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
    });
    this.#asking ??= setInterval(() => {
      this.#ask();
    }, askMs).unref();
  }

  #ask(): void {
    for (const socket of this.#sockets) if (hasNoPeer(socket)) socket.destroy();
    if (this.#sockets.size > 0) return;
    clearInterval(this.#asking);
    this.#asking = undefined;
  }
}

/** Whether a connection was reset, or given up by the system: it has no peer's address then. */
function hasNoPeer(socket: Socket): boolean {
  const handle = handleOf(socket);
  return handle?.getpeername !== undefined && !socket.connecting && handle.getpeername({}) < 0;
}

/**
 * Reads one more piece from a connection of HTTP/1.1 whose reading waits for the reader of a body: the client's end
 * may be behind it.
 */
export function readOn(socket: Socket): void {
  if (isReadInPieces(socket)) readPiece(socket);
  else handleOf(socket)?.readStart?.();
}

function handleOf(socket: Socket): StreamHandle | null | undefined {
  return (socket as Socket & { readonly _handle?: StreamHandle | null })._handle;
}
