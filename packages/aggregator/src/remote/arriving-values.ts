const QUOTE = 0x22,
  COMMA = 0x2c,
  BACKSLASH = 0x5c,
  OPEN_BRACKET = 0x5b,
  OPEN_BRACE = 0x7b;

/**
 * Counts the values of a JSON text while it comes, piece by piece: each follows a comma or what opens its list or
 * object. Of what is no JSON it counts something as well.
 */
export class ArrivingValues {
  #count = 0;
  #inText = false;
  #escaped = false;

  /** How many there are with this piece. */
  add(piece: Uint8Array): number {
    for (const c of piece) {
      if (this.#escaped) this.#escaped = false;
      else if (this.#inText) {
        if (c === BACKSLASH) this.#escaped = true;
        else if (c === QUOTE) this.#inText = false;
      } else if (c === QUOTE) this.#inText = true;
      else if (c === COMMA || c === OPEN_BRACKET || c === OPEN_BRACE) this.#count++;
    }
    return this.#count;
  }
}
