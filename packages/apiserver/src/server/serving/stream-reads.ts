import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** Streams that begin or end between two looks at the sockets: about ten milliseconds of work. */
const atOnce = 256;
/** So many streams of one connection in one turn of the event loop make it one that crowds. */
const crowd = 16;
/** Connections that crowd which are read again in one turn. */
const crowdsAtOnce = 4;
/** Other connections that are read again in one turn. */
const othersAtOnce = 1_000;
/** Ms after which connections are looked at again of which all wait to be written. */
const lookMs = 20;

/** The libuv handle of a connection. */
interface ReadHandle {
  readonly writeQueueSize: number;
  readStart(): number;
  readStop(): number;
}

interface Connection {
  readonly handle: ReadHandle;
  /** Of this turn. */
  streams: number;
  /** Whether it had a crowd of streams in the last turn in which it had any. */
  crowds: boolean;
}

/**
 * Reads the connections of HTTP/2 a few at a time when their streams come, or end, in crowds. One piece of a connection
 * begins a hundred streams, one end of it ends as many, each for 30 to 50 µs, and the event loop reads up to a thousand
 * connections before it looks at anything else. Once there were as many streams as are worth a turn, nothing more
 * is read from any of these connections until others had theirs. Then those go on that had no crowds of streams, and
 * a few of those that had, the one first from which nothing came for longest.
 */
export class StreamReads {
  readonly #connections = new WeakMap<Socket, Connection>();
  /** What came from the first is longer ago than what came from the second. */
  readonly #reading = new Set<Connection>();
  readonly #stopped = new Set<Connection>();
  /** Those that had streams in this turn. */
  readonly #active = new Set<Connection>();
  #streams = 0;
  #scheduled = false;
  #looksLater = false;

  /** Follows an accepted connection, which is read from now on, until it closes. */
  follow(socket: Socket): void {
    const { _handle: handle } = socket as Socket & { readonly _handle?: Partial<ReadHandle> | null };
    if (handle?.readStop === undefined) return;
    const connection = { handle: handle as ReadHandle, streams: 0, crowds: false };
    this.#connections.set(socket, connection);
    this.#reading.add(connection);
    socket.once('close', () => {
      this.#forget(connection);
    });
  }

  /** Another protocol than HTTP/2 is spoken on a connection. */
  leave(secured: Socket): void {
    const connection = this.#of(secured);
    if (connection === undefined) return;
    if (this.#stopped.has(connection)) connection.handle.readStart();
    this.#forget(connection);
  }

  /** Counts the streams of a session. */
  followSession(session: ServerHttp2Session): void {
    const connection = this.#of(session.socket as Socket);
    if (connection === undefined) return;
    const count = (): void => {
      this.#count(connection);
    };
    session.on('stream', (stream) => {
      count();
      stream.once('close', count);
    });
  }

  /** Of a connection by its TLS socket, or by what HTTP/2 shows of that. */
  #of(secured: Socket): Connection | undefined {
    const { _parent: socket } = secured as Socket & { readonly _parent?: Socket | null };
    return socket === undefined || socket === null ? undefined : this.#connections.get(socket);
  }

  #forget(connection: Connection): void {
    this.#reading.delete(connection);
    this.#stopped.delete(connection);
    this.#active.delete(connection);
  }

  #count(connection: Connection): void {
    connection.streams++;
    this.#active.add(connection);
    this.#schedule();
    if (++this.#streams >= atOnce) this.#stop();
  }

  #stop(): void {
    for (const connection of this.#reading) {
      connection.handle.readStop();
      this.#stopped.add(connection);
    }
    this.#reading.clear();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#begin();
    });
  }

  #begin(): void {
    this.#scheduled = false;
    this.#streams = 0;
    for (const connection of this.#active) this.#behindOthers(connection);
    this.#active.clear();
    if (this.#stopped.size > 0) this.#goOn();
  }

  #behindOthers(connection: Connection): void {
    connection.crowds = connection.streams >= crowd;
    connection.streams = 0;
    const connections = this.#stopped.has(connection) ? this.#stopped : this.#reading;
    if (connections.delete(connection)) connections.add(connection);
  }

  #goOn(): void {
    let crowds = 0;
    let others = 0;
    let blocked = 0;
    for (const connection of this.#stopped) {
      if (connection.crowds ? crowds >= crowdsAtOnce : others >= othersAtOnce) continue;
      // Node itself stops to read while it writes, and goes on when it has written.
      if (connection.handle.writeQueueSize > 0) {
        blocked++;
        continue;
      }
      if (connection.crowds) crowds++;
      else others++;
      this.#read(connection);
    }
    if (this.#stopped.size > blocked) this.#schedule();
    else if (blocked > 0) this.#lookLater();
  }

  #read(connection: Connection): void {
    connection.handle.readStart();
    this.#stopped.delete(connection);
    this.#reading.add(connection);
  }

  /** Requests of others do not wait for this: their turns are counted meanwhile. */
  #lookLater(): void {
    if (this.#looksLater) return;
    this.#looksLater = true;
    setTimeout(() => {
      this.#looksLater = false;
      this.#schedule();
    }, lookMs).unref();
  }
}
