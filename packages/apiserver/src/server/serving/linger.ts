import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a client may still send on a connection that has got its last answer, in bytes: a body, and as much again. */
export const lingerBytes = 8 * 1024 * 1024;
/** How long it may be silent before the connection is cut, in ms: what it was sent is read in that time. */
const silentMs = 2_000;
/** How long it may go on sending, in ms. */
const lingerMs = 5_000;

/**
 * Ends a connection that has got its last answer. A connection that is cut while something of the client's is unread is
 * reset, and the reset takes from the client what it has not read yet: the answer. So our side of it ends, and what the
 * client still sends is read and dropped until it closes its own side, is silent for two seconds, or five are over. Of
 * more than {@link lingerBytes} nothing is read, and the connection is cut as one of a silent client. Until it closes
 * the connection counts among those of its client.
 *
 * Whoever listened to what comes gets nothing more: requests that were sent behind the last one are not begun.
 */
export function linger(socket: Duplex): void {
  if (socket.destroyed || isLingering(socket)) return;
  (socket as Lingering)[lingering] = true;
  if (!socket.writableEnded) socket.end();
  let dropped = 0;
  const end = setTimeout(cut, lingerMs);
  const silence = setTimeout(cut, silentMs);
  function cut(): void {
    socket.destroy();
  }
  socket.removeAllListeners('data');
  // Added before it flows: Node's parser reads from the handle itself until somebody listens for data.
  socket.on('data', (piece: Uint8Array) => {
    dropped += piece.length;
    if (dropped > lingerBytes) socket.pause();
    else silence.refresh();
  });
  socket.resume();
  socket.once('close', () => {
    clearTimeout(end);
    clearTimeout(silence);
  });
}

/** Has a connection linger where Node would destroy it once an answer that is the last was written. */
export function lingerBehindLast(socket: Socket): void {
  socket.destroySoon = lingerSoon;
}

function lingerSoon(this: Socket): void {
  linger(this);
}

/** Has no request begin on a connection behind the one that is being answered, whose answer must be the last. */
export function beginNoMore(socket: Socket): void {
  (socket as Lingering)[last] = true;
  lingerBehindLast(socket);
}

/** Whether a request was sent on a connection of HTTP/1.1 behind one whose answer is the last. */
export function isBehindLast({ httpVersionMajor, socket }: IncomingMessage): boolean {
  return httpVersionMajor === 1 && (socket as Lingering)[last] === true;
}

/** Whether a connection has got its last answer. */
export function isLingering(socket: Duplex): boolean {
  return (socket as Lingering)[lingering] === true;
}

const last = Symbol('last answer');
const lingering = Symbol('lingering');

type Lingering = Duplex & { [last]?: true; [lingering]?: true };
