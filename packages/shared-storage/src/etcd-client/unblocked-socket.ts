import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/**
 * A socket for node:http2 whose writes are done as soon as they are handed over.
 *
 * node:http2 stops reading a connection while one of its writes is under way (Http2Session::MaybeStopReading, Node 24).
 * When both ends do that, and both have more to say than the kernel's buffers hold, neither reads and both wait for
 * ever. An end whose writes are never under way goes on reading, which frees the other.
 *
 *     http2 ──write──► (taken at once) ──► socket's own buffer ──► kernel ──► peer
 *           ◄──────────────────────────────────────────────────── kernel ◄── peer
 *
 * The socket's buffer is not bounded here but by HTTP/2: a peer that does not read gives no window for more.
 */
export class UnblockedSocket extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.once('end', () => {
      this.push(null);
    });
    socket.once('error', (error) => {
      this.destroy(error);
    });
    socket.once('close', () => {
      this.destroy();
    });
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#socket.write(chunk);
    done();
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this.#socket.cork();
    for (const { chunk } of chunks) this.#socket.write(chunk);
    this.#socket.uncork();
    done();
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
