import { analyzeScalar, isBreak, isPrintable } from './analyze.ts';
import { needsQuotes } from './resolve-scalar.ts';
import { compareKeys } from './sort-keys.ts';

/** libyaml's best_width: longer lines are folded at the next space. */
const WIDTH = 80;
/** Longer keys are written with an explicit `?`. */
const MAX_SIMPLE_KEY_BYTES = 128;

/** Plain data as block YAML, byte for byte as sigs.k8s.io/yaml writes it. */
export function emitYAML(value: unknown): string {
  const emitter = new Emitter();
  emitter.node(value, { indent: -1, mapping: false, key: false });
  return emitter.finish();
}

/** Where a node stands. */
interface Context {
  /** Indentation of the enclosing collection; -1 at the root. */
  readonly indent: number;
  /** It is the value of a mapping: sequences are then not indented. */
  readonly mapping: boolean;
  readonly key: boolean;
}

class Emitter {
  #out = '';
  #column = 0;
  /** The line has only indentation and indicators so far, so that a collection can start on it. */
  #indention = true;

  finish(): string {
    return this.#out.endsWith('\n') ? this.#out : `${this.#out}\n`;
  }

  node(value: unknown, context: Context): void {
    if (Array.isArray(value)) {
      if (value.length === 0) this.#token('[]');
      else this.#sequence(value, context);
    } else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
      if (keys.length === 0) this.#token('{}');
      else this.#mapping(value as Record<string, unknown>, keys.toSorted(compareKeys), context);
    } else if (typeof value === 'string') this.#string(value, context);
    else this.#token(scalarText(value));
  }

  #sequence(items: readonly unknown[], context: Context): void {
    const indent = context.indent < 0 ? 0 : context.mapping && !this.#indention ? context.indent : context.indent + 2;
    for (const item of items) {
      this.#newLine(indent);
      this.#indicator('-', true);
      this.node(item, { indent, mapping: false, key: false });
    }
  }

  #mapping(map: Record<string, unknown>, keys: readonly string[], context: Context): void {
    const indent = context.indent < 0 ? 0 : context.indent + 2;
    for (const key of keys) {
      this.#newLine(indent);
      if (Buffer.byteLength(key) <= MAX_SIMPLE_KEY_BYTES && !analyzeScalar(key).multiline) {
        this.node(key, { indent, mapping: true, key: true });
        this.#write(':');
      } else {
        this.#indicator('?', true);
        this.node(key, { indent, mapping: true, key: false });
        this.#newLine(indent);
        this.#indicator(':', true);
        this.node(map[key], { indent, mapping: true, key: false });
        continue;
      }
      this.#indention = false;
      this.node(map[key], { indent, mapping: true, key: false });
    }
  }

  #string(text: string, context: Context): void {
    const indent = context.indent < 0 ? 2 : context.indent + 2;
    const analysis = analyzeScalar(text);
    if (text.includes('\n') && analysis.blockAllowed && !context.key) return this.#literal(text, indent);
    const quoted = text.includes('\n') || needsQuotes(text);
    if (!quoted && analysis.plainAllowed) return this.#plain(text, indent, !context.key);
    if (!quoted && analysis.singleQuotedAllowed && !(context.key && analysis.multiline))
      return this.#singleQuoted(text, indent, !context.key);
    this.#doubleQuoted(text, indent, !context.key);
  }

  #plain(text: string, indent: number, fold: boolean): void {
    this.#space();
    this.#foldable(text, { indent, fold, atEdges: true });
    this.#indention = false;
  }

  #singleQuoted(text: string, indent: number, fold: boolean): void {
    this.#space();
    this.#write("'");
    this.#foldable(text.replaceAll("'", "''"), { indent, fold, atEdges: false });
    this.#write("'");
    this.#indention = false;
  }

  /** Writes text, breaking lines at single spaces once they are too long. */
  #foldable(text: string, options: { indent: number; fold: boolean; atEdges: boolean }): void {
    const characters = Array.from(text);
    let spaces = false,
      breaks = false;
    for (let i = 0; i < characters.length; i++) {
      const c = characters[i] ?? '';
      if (c === ' ') {
        const inside = options.atEdges || (i > 0 && i < characters.length - 1);
        if (options.fold && !spaces && this.#column > WIDTH && inside && characters[i + 1] !== ' ')
          this.#newLine(options.indent);
        else this.#write(c);
        spaces = true;
      } else if (isBreak(c)) {
        if (!breaks && c === '\n') this.#lineFeed();
        this.#lineFeed();
        breaks = true;
      } else {
        if (breaks) this.#newLine(options.indent);
        this.#write(c);
        spaces = breaks = false;
      }
    }
  }

  #doubleQuoted(text: string, indent: number, fold: boolean): void {
    this.#space();
    this.#write('"');
    const characters = Array.from(text);
    let spaces = false;
    for (let i = 0; i < characters.length; i++) {
      const c = characters[i] ?? '';
      if (!isPrintable(c) || isBreak(c) || c === '"' || c === '\\') {
        this.#write(escaped(c));
        spaces = false;
      } else if (c === ' ') {
        if (fold && !spaces && this.#column > WIDTH && i > 0 && i < characters.length - 1) {
          this.#newLine(indent);
          if (characters[i + 1] === ' ') this.#write('\\');
        } else this.#write(c);
        spaces = true;
      } else {
        this.#write(c);
        spaces = false;
      }
    }
    this.#write('"');
    this.#indention = false;
  }

  #literal(text: string, indent: number): void {
    this.#space();
    const hint = text[0] === ' ' || isBreak(text[0] ?? '') ? '2' : '';
    const chomping = !text.endsWith('\n') ? '-' : text === '\n' || isBreak(text.at(-2) ?? '') ? '+' : '';
    this.#write(`|${hint}${chomping}`);
    this.#lineFeed();
    const body = text.endsWith('\n') ? text.slice(0, -1) : text;
    const lines = body.split('\n');
    lines.forEach((line, i) => {
      if (line !== '') {
        this.#out += ' '.repeat(indent);
        this.#column = indent;
        this.#write(line);
      }
      if (i < lines.length - 1 || text.endsWith('\n')) this.#lineFeed();
    });
    this.#indention = true;
  }

  #token(text: string): void {
    this.#space();
    this.#write(text);
    this.#indention = false;
  }

  /** `- `, `? ` and `: ` leave room for a collection on the same line. */
  #indicator(text: string, keepsIndention: boolean): void {
    this.#space();
    this.#write(text);
    this.#indention = this.#indention && keepsIndention;
  }

  #space(): void {
    if (this.#column > 0 && !this.#out.endsWith(' ') && !this.#out.endsWith('\n')) this.#write(' ');
  }

  /** Starts a line at the indentation, unless the current one has nothing but indentation up to there. */
  #newLine(indent: number): void {
    if (!this.#indention || this.#column > indent || (this.#column === indent && !this.#atBlank())) {
      if (this.#column > 0) this.#lineFeed();
    }
    if (this.#column < indent) {
      this.#out += ' '.repeat(indent - this.#column);
      this.#column = indent;
    }
    this.#indention = true;
  }

  #atBlank(): boolean {
    const last = this.#out.at(-1);
    return last === undefined || last === ' ' || last === '\n';
  }

  #lineFeed(): void {
    this.#out += '\n';
    this.#column = 0;
  }

  #write(text: string): void {
    this.#out += text;
    this.#column += text.length;
  }
}

const ESCAPES = new Map([
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\u001b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0085', '\\N'],
  ['\u00a0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

function escaped(c: string): string {
  const known = ESCAPES.get(c);
  if (known !== undefined) return known;
  const code = c.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code <= 0xff
    ? `\\x${hex.padStart(2, '0')}`
    : code <= 0xffff
      ? `\\u${hex.padStart(4, '0')}`
      : `\\U${hex.padStart(8, '0')}`;
}

function scalarText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 64 ? String(value) : floatText(value);
  return value === null || value === undefined ? 'null' : JSON.stringify(value);
}

/** strconv.FormatFloat(value, 'g', -1, 64): exponents below -4 and from 6 on, at least two digits in them. */
function floatText(value: number): string {
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  const text = exponent < -4 || exponent >= 6 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}
