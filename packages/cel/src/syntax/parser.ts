import type { Expr, MapEntry, StructField } from './expr.ts';
import { operatorNames } from './expr.ts';
import { unquote } from './literals.ts';
import { expandMacro, type Dialect } from './macros.ts';
import type { CelProblem } from './problems.ts';
import { syntaxProblems } from './syntax-problems.ts';
import { tokenize } from './tokens.ts';
import type { Token, TokenKind } from './tokens.ts';

const maxDepth = 250;
const maxSize = 100_000;
/** Words that are no names of variables or functions, though they may name fields. */
const reserved = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'package',
  'namespace',
  'null',
  'return',
  'true',
  'var',
  'void',
  'while',
]);
const relations: ReadonlySet<TokenKind> = new Set<TokenKind>(['<', '<=', '>=', '>', '==', '!=', 'in']);
const products: ReadonlySet<TokenKind> = new Set<TokenKind>(['*', '/', '%']);
const sums: ReadonlySet<TokenKind> = new Set<TokenKind>(['+', '-']);
const minInt = -(2n ** 63n),
  maxInt = 2n ** 63n - 1n,
  maxUint = 2n ** 64n - 1n;

/** uint, before it becomes a value. */
export class UintLiteral {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** Parses a source and expands its macros (cel-go parser/parser.go, 0.26): the expression, or all that is wrong. */
export function parseExpression(source: string, dialect: Dialect = {}): Expr | readonly CelProblem[] {
  const size = Array.from(source).length;
  if (size > maxSize)
    return [{ at: undefined, text: `expression code point size exceeds limit: size: ${size}, limit ${maxSize}` }];
  const { tokens, unread } = tokenize(source);
  if (unread.length > 0) return syntaxProblems(source);
  const parser = new Parser(tokens, dialect);
  try {
    const expr = parser.parse();
    return parser.problems.length > 0 ? parser.problems : expr;
  } catch (error) {
    if (error instanceof TooDeep) return [{ at: undefined, text: error.message }];
    if (error instanceof Unexpected) return [...parser.problems, ...syntaxProblems(source)];
    throw error;
  }
}

/** The source does not follow the grammar. */
class Unexpected extends Error {}
/** It nests too deeply, by brackets or by operations whose operands are operations. */
class TooDeep extends Error {}

class Parser {
  readonly problems: CelProblem[] = [];
  readonly #tokens: readonly Token[];
  readonly #dialect: Dialect;
  #next = 0;
  #depth = 0;
  /** How deeply the operations below an expression nest; only kept where there are enough tokens for too many. */
  readonly #heights: Map<Expr, number> | undefined;

  constructor(tokens: readonly Token[], dialect: Dialect) {
    this.#tokens = tokens;
    this.#dialect = dialect;
    this.#heights = tokens.length > maxDepth ? new Map() : undefined;
  }

  parse(): Expr {
    const expr = this.#expr();
    this.#expect('eof');
    return expr;
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #take(): Token {
    return this.#tokens[this.#next++] as Token;
  }

  #takeIf(kind: TokenKind): Token | undefined {
    return this.#token.kind === kind ? this.#take() : undefined;
  }

  #expect(kind: TokenKind): Token {
    if (this.#token.kind !== kind) throw new Unexpected();
    return this.#take();
  }

  #problem(at: number, text: string): Expr {
    this.problems.push({ at, text });
    return { kind: 'const', at, value: null };
  }

  /** Notes the height of an expression: that of its highest part, and 1 where it is an operation itself. */
  #over(made: Expr, own: 0 | 1, ...parts: readonly (Expr | undefined)[]): Expr {
    if (this.#heights === undefined) return made;
    let height = 0;
    for (const part of parts) if (part !== undefined) height = Math.max(height, this.#heights.get(part) ?? 0);
    if (height + own > maxDepth) throw new TooDeep('max recursion depth exceeded');
    this.#heights.set(made, height + own);
    return made;
  }

  #expr(): Expr {
    if (++this.#depth > maxDepth) throw new TooDeep(`expression recursion limit exceeded: ${maxDepth}`);
    const condition = this.#chain('||');
    const question = this.#takeIf('?');
    let made = condition;
    if (question !== undefined) {
      const yes = this.#chain('||');
      this.#expect(':');
      const args = [condition, yes, this.#expr()];
      made = this.#over({ kind: 'call', at: question.at, name: '_?_:_', target: undefined, args }, 1, ...args);
    }
    this.#depth--;
    return made;
  }

  /** `a && b && c`: balanced, so that long chains do not nest deeply. */
  #chain(kind: '||' | '&&'): Expr {
    const part = (): Expr => (kind === '||' ? this.#chain('&&') : this.#relation());
    const terms = [part()];
    const places: number[] = [];
    while (this.#token.kind === kind) {
      places.push(this.#take().at);
      terms.push(part());
    }
    const balanced = (low: number, high: number): Expr => {
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? (terms[middle] as Expr) : balanced(low, middle - 1);
      const right = middle === high ? (terms[middle + 1] as Expr) : balanced(middle + 1, high);
      return this.#over(
        { kind: 'call', at: places[middle] as number, name: `_${kind}_`, target: undefined, args: [left, right] },
        0,
        left,
        right,
      );
    };
    return places.length === 0 ? (terms[0] as Expr) : balanced(0, places.length - 1);
  }

  #binary(kinds: ReadonlySet<TokenKind>, part: () => Expr): Expr {
    let left = part();
    while (kinds.has(this.#token.kind)) {
      const { at, kind } = this.#take();
      const args = [left, part()];
      left = this.#over(
        { kind: 'call', at, name: operatorNames.get(kind) ?? kind, target: undefined, args },
        1,
        ...args,
      );
    }
    return left;
  }

  #relation(): Expr {
    return this.#binary(relations, () => this.#binary(sums, () => this.#binary(products, () => this.#unary())));
  }

  #unary(): Expr {
    const { kind, at } = this.#token;
    if (kind !== '!' && kind !== '-') return this.#member();
    if (kind === '-' && this.#isNumber(1)) return this.#member();
    let count = 0;
    while (this.#token.kind === kind) {
      this.#take();
      count++;
    }
    const operand = this.#member();
    return count % 2 === 0
      ? operand
      : this.#over({ kind: 'call', at, name: `${kind}_`, target: undefined, args: [operand] }, 0, operand);
  }

  #isNumber(ahead: number): boolean {
    const kind = this.#tokens[this.#next + ahead]?.kind;
    return kind === 'int' || kind === 'float';
  }

  #member(): Expr {
    let of = this.#primary();
    for (;;) {
      if (this.#token.kind === '.') of = this.#afterDot(of);
      else if (this.#token.kind === '[') {
        const { at } = this.#take();
        const optional = this.#takeIf('?') !== undefined;
        const index = this.#expr();
        this.#expect(']');
        of = this.#over(
          { kind: 'call', at, name: optional ? '_[?_]' : '_[_]', target: undefined, args: [of, index] },
          1,
          of,
          index,
        );
      } else return of;
    }
  }

  #afterDot(of: Expr): Expr {
    const dot = this.#take();
    const optional = this.#takeIf('?') !== undefined;
    const name = this.#fieldName();
    if (optional)
      return this.#over(
        {
          kind: 'call',
          at: dot.at,
          name: '_?._',
          target: undefined,
          args: [of, { kind: 'const', at: name.at, value: name.text }],
        },
        1,
        of,
      );
    const open = name.kind === 'ident' ? this.#takeIf('(') : undefined;
    if (open === undefined)
      return this.#over({ kind: 'select', at: dot.at, operand: of, field: name.text, test: false }, 1, of);
    return this.#call(name.text, { at: open.at, target: of, args: this.#arguments() });
  }

  /** Backquoted names are read, and refused: the environment does not allow them. */
  #fieldName(): Token {
    if (this.#token.kind !== 'escaped') return this.#expect('ident');
    const token = this.#take();
    this.#problem(token.at, "unsupported syntax: '`'");
    return token;
  }

  #call(
    name: string,
    call: { readonly at: number; readonly target: Expr | undefined; readonly args: readonly Expr[] },
  ): Expr {
    const expanded = expandMacro(name, call, this.#dialect);
    if (expanded !== undefined && 'text' in expanded) return this.#problem(expanded.at ?? call.at, expanded.text);
    return this.#over(
      expanded ?? { kind: 'call', at: call.at, name, target: call.target, args: call.args },
      call.target === undefined ? 0 : 1,
      call.target,
      ...call.args,
    );
  }

  #arguments(): readonly Expr[] {
    const args: Expr[] = [];
    if (this.#takeIf(')') !== undefined) return args;
    do args.push(this.#expr());
    while (this.#takeIf(',') !== undefined);
    this.#expect(')');
    return args;
  }

  #primary(): Expr {
    const { kind, at } = this.#token;
    switch (kind) {
      case '(': {
        this.#take();
        const inner = this.#expr();
        this.#expect(')');
        return inner;
      }
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case '.':
      case 'ident':
        return this.#name();
      case '-':
      case 'int':
      case 'uint':
      case 'float':
        return this.#number();
      case 'string':
      case 'bytes': {
        const { text } = this.#take();
        const value = unquote(kind === 'bytes' ? text.slice(1) : text, kind === 'bytes');
        return typeof value === 'object' && 'problem' in value
          ? this.#problem(at, value.problem)
          : { kind: 'const', at, value };
      }
      case 'true':
      case 'false':
      case 'null': {
        this.#take();
        return { kind: 'const', at, value: kind === 'null' ? null : kind === 'true' };
      }
      default:
        throw new Unexpected();
    }
  }

  #name(): Expr {
    const start = this.#token.at;
    const dot = this.#takeIf('.') === undefined ? '' : '.';
    const id = this.#expect('ident');
    const struct = this.#structName();
    if (struct !== undefined) return this.#struct(`${dot}${id.text}${struct}`);
    const open = this.#takeIf('(');
    const args = open === undefined ? undefined : this.#arguments();
    if (reserved.has(id.text)) return this.#problem(start, `reserved identifier: ${id.text}`);
    if (open === undefined) return { kind: 'ident', at: id.at, name: `${dot}${id.text}` };
    return this.#call(`${dot}${id.text}`, { at: open.at, target: undefined, args: args ?? [] });
  }

  /** The rest of a message's name, if names and dots up to a brace follow. */
  #structName(): string | undefined {
    let ahead = this.#next;
    let name = '';
    while (this.#tokens[ahead]?.kind === '.' && this.#tokens[ahead + 1]?.kind === 'ident') {
      name += `.${this.#tokens[ahead + 1]?.text ?? ''}`;
      ahead += 2;
    }
    if (this.#tokens[ahead]?.kind !== '{') return undefined;
    this.#next = ahead;
    return name;
  }

  #struct(name: string): Expr {
    const { at } = this.#expect('{');
    const fields: StructField[] = [];
    this.#entries('}', () => {
      const optional = this.#takeIf('?') !== undefined;
      const field = this.#fieldName();
      const colon = this.#expect(':');
      fields.push({ at: colon.at, name: field.text, value: this.#expr(), optional });
    });
    return this.#over({ kind: 'struct', at, name, fields }, 0, ...fields.map(({ value }) => value));
  }

  #number(): Expr {
    const { at } = this.#token;
    const sign = this.#takeIf('-') === undefined ? '' : '-';
    const { kind, text } = this.#take();
    switch (kind) {
      case 'int': {
        const value = sign === '' ? BigInt(text) : -BigInt(text);
        return value < minInt || value > maxInt
          ? this.#problem(at, 'invalid int literal')
          : { kind: 'const', at, value };
      }
      case 'uint': {
        const value = BigInt(text.slice(0, -1));
        return value > maxUint
          ? this.#problem(at, 'invalid uint literal')
          : { kind: 'const', at, value: new UintLiteral(value) };
      }
      case 'float': {
        const value = Number(sign + text);
        return Number.isFinite(value) ? { kind: 'const', at, value } : this.#problem(at, 'invalid double literal');
      }
      default:
        throw new Unexpected();
    }
  }

  /** Entries with commas between them, and perhaps one after the last, up to what closes them. */
  #entries(close: TokenKind, entry: () => void): void {
    const first = this.#token.kind;
    if (first !== close && first !== ',') {
      entry();
      while (this.#token.kind === ',' && this.#tokens[this.#next + 1]?.kind !== close) {
        this.#take();
        entry();
      }
    }
    this.#takeIf(',');
    this.#expect(close);
  }

  #list(): Expr {
    const { at } = this.#take();
    const items: Expr[] = [];
    const optional = new Set<number>();
    this.#entries(']', () => {
      if (this.#takeIf('?') !== undefined) optional.add(items.length);
      items.push(this.#expr());
    });
    return this.#over({ kind: 'list', at, items, optional }, 0, ...items);
  }

  #map(): Expr {
    const { at } = this.#take();
    const entries: MapEntry[] = [];
    this.#entries('}', () => {
      const optional = this.#takeIf('?') !== undefined;
      const key = this.#expr();
      const colon = this.#expect(':');
      entries.push({ at: colon.at, key, value: this.#expr(), optional });
    });
    return this.#over({ kind: 'map', at, entries }, 0, ...entries.flatMap(({ key, value }) => [key, value]));
  }
}
