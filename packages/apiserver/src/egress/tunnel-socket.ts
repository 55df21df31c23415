import { Duplex } from 'node:stream';

/** How long a tunnel may take until it is there, in milliseconds (Go's default dialer). */
const openTimeoutMs = 30_000;

/** Makes the stream that bytes go through; rejects when `signal` aborts. */
export type OpenTunnel = (signal: AbortSignal) => Promise<Duplex>;

/**
 * A stream over another one that is still to be opened, such as one through a proxy. It has what clients of HTTP and
 * TLS want of a socket, and no descriptor of its own.
 *
 *     writer ──► (waits until the tunnel is open) ──► inner stream ──► proxy ──► peer
 *     reader ◄── paused when the reader is behind ◄─────────────────── proxy ◄── peer
 */
export class TunnelSocket extends Duplex {
  readonly #open: OpenTunnel;
  readonly #ended = new AbortController();
  #inner: Duplex | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Until the tunnel is open. */
  connecting = true;

  constructor(open: OpenTunnel) {
    super();
    this.#open = open;
  }

  override _construct(done: (error?: Error | null) => void): void {
    const timeout = setTimeout(() => {
      this.#ended.abort(Object.assign(new Error('connection timed out'), { code: 'ETIMEDOUT' }));
    }, openTimeoutMs);
    this.#open(this.#ended.signal)
      .then(
        (inner) => {
          this.connecting = false;
          if (this.#ended.signal.aborted) inner.destroy();
          else this.#carry(inner);
          done();
          if (!this.destroyed) this.emit('connect');
        },
        (error: unknown) => {
          this.connecting = false;
          // Whoever has given up does not want to hear that it is so.
          if (this.destroyed) done();
          else done(error instanceof Error ? error : new Error(String(error)));
        },
      )
      .finally(() => {
        clearTimeout(timeout);
      });
  }

  /** Emits `timeout` once after so many milliseconds without bytes; 0: never. */
  setTimeout(afterMs: number, onTimeout?: () => void): this {
    clearTimeout(this.#idle);
    this.#idle = afterMs === 0 ? undefined : setTimeout(() => this.emit('timeout'), afterMs).unref();
    if (onTimeout !== undefined && afterMs > 0) this.once('timeout', onTimeout);
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    this.#inner?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#idle?.refresh();
    this.#inner?.write(chunk, done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#inner?.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#inner?.end(() => {
      done();
    });
  }

  /** Ends the opening too, which a stream would wait for. */
  override destroy(error?: Error): this {
    this.#ended.abort(error ?? new Error('the connection was closed'));
    return super.destroy(error);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.#inner?.destroy();
    done(error);
  }

  #carry(inner: Duplex): void {
    this.#inner = inner;
    inner.on('data', (chunk: Buffer) => {
      this.#idle?.refresh();
      if (!this.push(chunk)) inner.pause();
    });
    inner.once('end', () => {
      this.push(null);
    });
    inner.once('error', (error) => {
      this.destroy(error);
    });
    inner.once('close', () => {
      if (!this.readableEnded) this.push(null);
    });
    inner.pause();
  }
}
