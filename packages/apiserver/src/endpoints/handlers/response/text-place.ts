const quote = 0x22,
  backslash = 0x5c;

/** Whether one is in a text of JSON that comes in pieces, which may end anywhere. */
export class TextPlace {
  #inside = false;
  /** The last piece ended behind a backslash. */
  #escaped = false;

  get isInside(): boolean {
    return this.#inside;
  }

  /** Behind the quote that begins a text. */
  begin(): void {
    this.#inside = true;
  }

  /** The place of the quote that ends the text, from `start` on; the piece's length where it goes on behind that. */
  end(piece: Uint8Array, start: number): number {
    let i = start;
    if (this.#escaped) {
      this.#escaped = false;
      i++;
    }
    for (; i < piece.length; i++) {
      if (piece[i] === quote) {
        this.#inside = false;
        return i;
      }
      if (piece[i] === backslash && ++i === piece.length) this.#escaped = true;
    }
    return piece.length;
  }
}
