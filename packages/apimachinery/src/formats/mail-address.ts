import { parseIPAddress } from '../validation/ip-address.ts';

/** Characters of RFC 5322 with a meaning of their own, which no atom has. */
const specials: readonly boolean[] = Array.from({ length: 0x80 }, (_, code) =>
  '()<>[]:;@\\,"'.includes(String.fromCharCode(code)),
);
const charsets = new Set(['utf-8', 'iso-8859-1', 'us-ascii']);

/**
 * One mail address, bare, after a name, or alone in a group: `a@example.com`, `Ann <a@example.com>`, `us:
 * a@example.com;` (what Go's net/mail.ParseAddress takes). Reads each character a few times at most: the text is
 * anybody's.
 */
export function isMailAddress(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.address({ group: true }) === 1 && reader.skipComments() && reader.atEnd;
}

/**
 * Reads the parts of an address one after the other; a part that is refused leaves the rest of the text without
 * meaning.
 */
class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** How many mailboxes an address names; 0 if it is none. */
  address({ group }: { readonly group: boolean }): number {
    this.#skipSpace();
    const start = this.#at;
    if (this.#mailbox()) {
      this.#skipSpace();
      return this.#next !== '(' || this.#comment() ? 1 : 0;
    }
    this.#at = start;
    if (this.#next !== '<' && !this.#phrase()) return 0;
    this.#skipSpace();
    if (group && this.#take(':')) return this.#group();
    return this.#take('<') && this.#mailbox() && this.#take('>') ? 1 : 0;
  }

  /** False for a comment that does not end. */
  skipComments(): boolean {
    this.#skipSpace();
    while (this.#next === '(') {
      if (!this.#comment()) return false;
      this.#skipSpace();
    }
    return true;
  }

  get #next(): string {
    return this.#text[this.#at] ?? '';
  }

  #take(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    while (isSpace(this.#next)) this.#at++;
  }

  /** `local@domain` */
  #mailbox(): boolean {
    this.#skipSpace();
    const local = this.#next === '"' ? (this.#quoted() ?? 0) > 0 : isDotAtom(this.#atom());
    if (!local || !this.#take('@')) return false;
    this.#skipSpace();
    return this.#next === '[' ? this.#domainLiteral() : isDotAtom(this.#atom());
  }

  #group(): number {
    let count = 0;
    this.#skipSpace();
    while (!this.#take(';')) {
      const found = this.address({ group: false });
      if (found === 0 || !this.skipComments()) return 0;
      count += found;
      if (this.#take(';')) break;
      if (!this.#take(',')) return 0;
      this.#skipSpace();
    }
    return count;
  }

  /** One word or more; after the first a malformed one ends the phrase. */
  #phrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.skipComments()) return false;
      this.#skipSpace();
      const start = this.#at;
      if (this.#next === '"' ? this.#quoted() !== undefined : isWord(this.#atom())) continue;
      if (this.#next === '"') this.#at = start;
      return words > 0;
    }
  }

  /** Characters of an atom, with dots anywhere; may be none. */
  #atom(): string {
    const start = this.#at;
    const text = this.#text;
    let at = start;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x80 && (code <= 0x20 || code === 0x7f || specials[code] === true)) break;
    }
    this.#at = at;
    return text.slice(start, at);
  }

  /** How many characters stand between quotes, of those beyond 16 bits each half; undefined if they are not such as may. */
  #quoted(): number | undefined {
    let count = 0;
    for (let i = this.#at + 1; i < this.#text.length; i++, count++) {
      const character = this.#text[i] ?? '';
      if (character === '"') {
        this.#at = i + 1;
        return count;
      }
      const wanted = character === '\\' ? (this.#text[++i] ?? '') : character;
      if (!isVisible(wanted) && !isSpace(wanted)) return undefined;
    }
    return undefined;
  }

  #domainLiteral(): boolean {
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) return false;
    const parsed = parseIPAddress(this.#text.slice(this.#at + 1, end));
    this.#at = end + 1;
    return parsed !== undefined && !parsed.leadingZeros;
  }

  /** Comments may hold others. */
  #comment(): boolean {
    let depth = 0;
    do {
      if (this.atEnd) return false;
      const character = this.#next;
      if (character === '\\' && this.#at + 1 < this.#text.length) this.#at++;
      else if (character === '(') depth++;
      else if (character === ')') depth--;
      this.#at++;
    } while (depth > 0);
    return true;
  }
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t';
}

function isVisible(character: string): boolean {
  return (character >= '!' && character <= '~') || (character.codePointAt(0) ?? 0) >= 0x80;
}

function isDotAtom(atom: string): boolean {
  return atom !== '' && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
}

/** Words that are encoded must be in a character set that is known. */
function isWord(atom: string): boolean {
  if (atom === '') return false;
  const [, charset, encoding] = atom.startsWith('=?') && atom.endsWith('?=') ? atom.split('?') : [];
  if (charset === undefined || charset === '' || !/^[bq]$/i.test(encoding ?? '') || atom.split('?').length !== 5)
    return true;
  return charsets.has(charset.toLowerCase());
}
