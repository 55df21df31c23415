/*
 * A rough reading of flow collections (`[…]`, `{…}`), for texts that the parser has refused. It knows quotes and
 * comments, and takes
 * a bracket for a flow's start only where a node can start.
 */

/** What stands open at a place in the text. */
export interface FlowContext {
  /** Innermost open bracket; undefined outside of flows. */
  readonly open: '[' | '{' | undefined;
  /** Last character of a token before the place; undefined at the start. */
  readonly previous: string | undefined;
}

/** The flow collection that `end` (an offset) lies in. */
export function flowContext(text: string, end: number): FlowContext {
  const reader = new FlowReader(text);
  while (reader.at < end && reader.next());
  return { open: reader.open.at(-1), previous: reader.previous };
}

/**
 * The text with every line inside a flow collection indented. Go's yaml.v2 does not care how such lines are indented;
 * the parser
 * here does. Lines keep their numbers.
 */
export function indentFlows(text: string): string {
  const reader = new FlowReader(text);
  const breaks: number[] = [];
  while (reader.next())
    if (reader.previousRaw === '\n' && reader.open.length > 0 && reader.at < text.length) breaks.push(reader.at);
  let out = '',
    from = 0;
  for (const at of breaks) {
    out += `${text.slice(from, at)}${' '.repeat(INDENT)}`;
    from = at;
  }
  return out + text.slice(from);
}

/** Deeper than any block that a flow stands in is likely to be. */
const INDENT = 80;

class FlowReader {
  readonly #text: string;
  at = 0;
  readonly open: ('[' | '{')[] = [];
  previous: string | undefined;
  /** Last character, white space included. */
  previousRaw = '\n';
  /** Whether a node may start here, in block context. */
  #mayStart = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads one character, quoted scalar or comment; false at the end. */
  next(): boolean {
    const c = this.#text[this.at];
    if (c === undefined) return false;
    const spaced = isSpace(this.previousRaw);
    if ((c === '"' || c === "'") && this.#startsNode(spaced)) this.#quoted(c);
    else if (c === '#' && spaced) this.at = endOfLine(this.#text, this.at) - 1;
    else if ((c === '[' || c === '{') && this.#startsNode(spaced)) this.open.push(c);
    else if ((c === ']' || c === '}') && this.open.length > 0) this.open.pop();
    const last = this.#text[this.at] ?? c;
    this.previousRaw = last;
    if (c !== '#' && !isSpace(c)) {
      this.#mayStart = c === ':' || c === '-' || c === '?';
      this.previous = last;
    } else if (c === '\n') this.#mayStart = true;
    this.at++;
    return true;
  }

  #startsNode(spaced: boolean): boolean {
    if (this.open.length > 0) return this.previous === undefined || '[{,:?'.includes(this.previous) || spaced;
    return this.#mayStart && spaced;
  }

  #quoted(quote: string): void {
    for (this.at++; this.at < this.#text.length; this.at++) {
      const c = this.#text[this.at];
      if (c === '\\' && quote === '"') this.at++;
      else if (c === quote) return;
    }
  }
}

function isSpace(c: string): boolean {
  return c === ' ' || c === '\n' || c === '\t' || c === '\r';
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
