const lineFeed = 0x0a;
const lineEnd = '\r\n';
const nothing = new Uint8Array();

/**
 * Small pieces of an answer that came in one read of a link, in order: they go to the client in one write. Answers that
 * got the same pieces (events that many watch) have the same run, whose bytes are put together once.
 *
 *     none ──event 1──▶ run ──event 2──▶ run ──event 3──▶ run        watches of everything
 *       └───event 2──▶ run                                           watches that selected the second
 *
 * Pieces are views of what was read, and copied when the bytes are asked for: that must be before the next read.
 */
export class PieceRun {
  /** Of all pieces. */
  readonly length: number;
  readonly #piece: Uint8Array;
  readonly #before: PieceRun | undefined;
  /** What it became with one more piece, which is the same one for all answers in turn. */
  #next: PieceRun | undefined = undefined;
  #plain: Buffer | undefined = undefined;
  #chunked: Buffer | undefined = undefined;

  private constructor(piece: Uint8Array, before: PieceRun | undefined) {
    this.#piece = piece;
    this.#before = before;
    this.length = before === undefined ? 0 : before.length + piece.length;
  }

  /** The run without a piece: what was read at one time begins with the same one. */
  static none(): PieceRun {
    return new PieceRun(nothing, undefined);
  }

  /** The run with one more piece. */
  with(piece: Uint8Array): PieceRun {
    if (this.#next === undefined || this.#next.#piece !== piece) this.#next = new PieceRun(piece, this);
    return this.#next;
  }

  /** Whether the last byte ends a line. */
  get endsLine(): boolean {
    return this.#piece[this.#piece.length - 1] === lineFeed;
  }

  /** Each piece by itself. */
  pieces(): Buffer[] {
    const bytes = this.plain();
    let end = 0;
    return PieceRun.#inOrder(this).map(({ length }) => bytes.subarray(end, (end += length)));
  }

  /** The bytes one after the other. To be left alone. */
  plain(): Buffer {
    if (this.#plain !== undefined) return this.#plain;
    const bytes = Buffer.allocUnsafe(this.length);
    let at = 0;
    for (const piece of PieceRun.#inOrder(this)) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return (this.#plain = bytes);
  }

  /** Each piece as a chunk of HTTP/1.1 (RFC 9112, 7.1). To be left alone. */
  chunked(): Buffer {
    if (this.#chunked !== undefined) return this.#chunked;
    const pieces = PieceRun.#inOrder(this);
    const heads = pieces.map(({ length }) => length.toString(16) + lineEnd);
    const framing = heads.reduce((sum, { length }) => sum + length + lineEnd.length, 0);
    const bytes = Buffer.allocUnsafe(this.length + framing);
    let at = 0;
    for (const [i, piece] of pieces.entries()) {
      at += bytes.write(heads[i] as string, at, 'latin1');
      bytes.set(piece, at);
      at += piece.length;
      at += bytes.write(lineEnd, at, 'latin1');
    }
    return (this.#chunked = bytes);
  }

  static #inOrder(last: PieceRun): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    for (let run = last; run.#before !== undefined; run = run.#before) pieces.push(run.#piece);
    return pieces.reverse();
  }
}
