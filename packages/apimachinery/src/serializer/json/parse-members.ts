/** Objects that have objects alone: what the fields of a manager are (FieldsV1). */
export interface Members {
  readonly [key: string]: Members;
}

const QUOTE = 0x22,
  COMMA = 0x2c,
  COLON = 0x3a,
  BACKSLASH = 0x5c,
  OPEN_BRACE = 0x7b,
  CLOSE_BRACE = 0x7d,
  FIRST_PRINTABLE = 0x20;
/** Far more than fields of any kind are nested; each level may compare the text once more. */
const mostLevels = 64;
const none: Members = Object.freeze({});

/**
 * The frozen value of compact JSON that has nothing but objects; undefined for all other texts, valid or not. Members
 * with the text of the one before them are one object: of thousands of items of a list, nearly all have the same
 * fields.
 */
export function parseMembers(text: string): Members | undefined {
  const reader = new MembersReader(text);
  const members = reader.object(0);
  return reader.at === text.length ? members : undefined;
}

class MembersReader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  object(level: number): Members | undefined {
    const text = this.#text;
    if (level > mostLevels || text.charCodeAt(this.at) !== OPEN_BRACE) return undefined;
    if (text.charCodeAt(this.at + 1) === CLOSE_BRACE) {
      this.at += 2;
      return none;
    }
    const object: Record<string, Members> = {};
    let before: { readonly text: string; readonly members: Members } | undefined;
    do {
      this.at++;
      const key = this.#key();
      if (key === undefined || text.charCodeAt(this.at++) !== COLON) return undefined;
      // No object's JSON is the beginning of another's.
      if (before !== undefined && text.startsWith(before.text, this.at)) this.at += before.text.length;
      else {
        const begin = this.at;
        const members = this.object(level + 1);
        if (members === undefined) return undefined;
        before = { text: text.slice(begin, this.at), members };
      }
      object[key] = before.members;
    } while (text.charCodeAt(this.at) === COMMA);
    return text.charCodeAt(this.at++) === CLOSE_BRACE ? Object.freeze(object) : undefined;
  }

  #key(): string | undefined {
    const text = this.#text;
    const begin = this.at;
    if (text.charCodeAt(begin) !== QUOTE) return undefined;
    let escaped = false;
    let end = begin + 1;
    for (let c = text.charCodeAt(end); c !== QUOTE; c = text.charCodeAt(++end)) {
      // Also behind the end of the text.
      if (!(c >= FIRST_PRINTABLE)) return undefined;
      if (c !== BACKSLASH) continue;
      escaped = true;
      end++;
    }
    this.at = end + 1;
    const key = escaped ? unescaped(text.slice(begin, this.at)) : text.slice(begin + 1, end);
    // To set it would set what the object inherits from.
    return key === '__proto__' ? undefined : key;
  }
}

function unescaped(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
