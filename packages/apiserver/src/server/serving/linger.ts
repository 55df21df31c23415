import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Bytes that a client may still send on a connection that has its last answer: a body, and as much again. */
export const lingerBytes = 8 * 1024 * 1024;
/** Ms of silence after which the connection is cut: time enough for the client to read its answer. */
const silentMs = 2_000;
/** Ms for which the client may go on sending. */
const lingerMs = 5_000;

/**
 * Ends a connection that has its last answer (a lingering close). Closing a socket with unread input makes the system
 * reset the connection, and a reset discards what the client has not read yet: the answer. So only our side is ended,
 * and what the client still sends is read and dropped until it closes its side, is silent for two seconds, or five
 * seconds are over. Beyond {@link lingerBytes} nothing more is read, so that the silence ends it. Until it closes, the
 * connection counts among those of its client.
 *
 * Nobody who listened to the socket's input gets any more of it: requests behind the last one are not begun.
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

/** Makes a connection linger where Node would destroy it after its last answer. */
export function lingerBehindLast(socket: Socket): void {
  socket.destroySoon = lingerSoon;
}

function lingerSoon(this: Socket): void {
  linger(this);
}

/** Makes the answer under way the connection's last: no request behind it begins. */
export function beginNoMore(socket: Socket): void {
  (socket as Lingering)[last] = true;
  lingerBehindLast(socket);
}

/** Whether a request of HTTP/1.1 came behind the one whose answer is the connection's last. */
export function isBehindLast({ httpVersionMajor, socket }: IncomingMessage): boolean {
  return httpVersionMajor === 1 && hasLast(socket);
}

/** Whether the answer under way is a connection's last. */
export function hasLast(socket: Socket): boolean {
  return (socket as Lingering)[last] === true;
}

/** Whether a connection has its last answer. */
export function isLingering(socket: Duplex): boolean {
  return (socket as Lingering)[lingering] === true;
}

const last = Symbol('last answer');
const lingering = Symbol('lingering');

type Lingering = Duplex & { [last]?: true; [lingering]?: true };
