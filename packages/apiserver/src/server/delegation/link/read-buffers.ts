/** Room for one read: a unix socket holds no more at a time. */
const readBytes = 256 * 1024;
/** Buffers that are kept for reads to come; more are left to the collector. */
const mostFree = 8;

/** One buffer that is read into, and how many still need what is in it. */
class ReadBuffer {
  readonly bytes = Buffer.allocUnsafeSlow(readBytes);
  readonly release: () => void;
  users = 0;

  constructor(unused: (buffer: ReadBuffer) => void) {
    this.release = () => {
      if (--this.users === 0) unused(this);
    };
  }
}

/**
 * The buffers that one connection is read into, used again when all that was in them has been written on. A new buffer
 * for each read would make the collector run for the memory behind it.
 */
export class ReadBuffers {
  readonly #free: ReadBuffer[] = [];
  readonly #unused = (buffer: ReadBuffer): void => {
    if (buffer !== this.#current && this.#free.length < mostFree) this.#free.push(buffer);
  };
  #current = new ReadBuffer(this.#unused);

  /** Where the next read goes. */
  next(): Buffer {
    if (this.#current.users > 0) this.#current = this.#free.pop() ?? new ReadBuffer(this.#unused);
    return this.#current.bytes;
  }

  /** Keeps what was read last from being written over, until the answered function is called. */
  keep(): () => void {
    this.#current.users++;
    return this.#current.release;
  }
}
