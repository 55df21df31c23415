/** What kinds of tokens CEL's grammar has (cel-go parser/gen/CEL.g4); operators and words are their own kind. */
export type TokenKind =
  | 'eof'
  | 'ident'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | Operator
  | 'in'
  | 'true'
  | 'false'
  | 'null';
export type Operator =
  | '=='
  | '!='
  | '<='
  | '>='
  | '&&'
  | '||'
  | '<'
  | '>'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%';

export interface Token {
  readonly kind: TokenKind;
  readonly at: number;
  readonly text: string;
}

const escape = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
/** Forms of texts; each by itself, which is what is known to be linear. The first that fits counts. */
const texts: readonly RegExp[] = [
  /[rR]"""[^]*?"""/y,
  /[rR]'''[^]*?'''/y,
  /[rR]"[^"\n\r]*"/y,
  /[rR]'[^'\n\r]*'/y,
  new RegExp(String.raw`"""(?:${escape}|[^\\])*?"""`, 'y'),
  new RegExp(String.raw`'''(?:${escape}|[^\\])*?'''`, 'y'),
  new RegExp(String.raw`"(?:${escape}|[^\\"\n\r])*"`, 'y'),
  new RegExp(String.raw`'(?:${escape}|[^\\'\n\r])*'`, 'y'),
];

function textAt(source: string, at: number): string | undefined {
  for (const form of texts) {
    form.lastIndex = at;
    const text = form.exec(source)?.[0];
    if (text !== undefined) return text;
  }
  return undefined;
}

const patterns: readonly (readonly [kind: TokenKind | 'hidden' | 'operator' | 'word', pattern: RegExp])[] = [
  ['hidden', /[\t \r\n\f]+|\/\/[^\n]*/y],
  ['float', /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ['uint', /0x[0-9a-fA-F]+[uU]|\d+[uU]/y],
  ['int', /0x[0-9a-fA-F]+|\d+/y],
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['escaped', /`[A-Za-z0-9_.\-/ ]+`/y],
  ['operator', /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
];
const words = new Set(['in', 'true', 'false', 'null']);

/** An unreadable stretch of the source. */
export interface UnreadText {
  readonly at: number;
  readonly text: string;
}

/** Cuts a source into tokens, the last one `eof`; what is no token is left out and told. */
export function tokenize(source: string): {
  readonly tokens: readonly Token[];
  readonly unread: readonly UnreadText[];
} {
  const tokens: Token[] = [];
  const unread: UnreadText[] = [];
  let at = 0;
  while (at < source.length) {
    const found = match(source, at);
    if (found === undefined) {
      const text = unreadAt(source, at);
      unread.push({ at, text });
      at += text.length;
      continue;
    }
    const { kind, text: taken } = found;
    if (kind === 'word') tokens.push({ kind: words.has(taken) ? (taken as TokenKind) : 'ident', at, text: taken });
    else if (kind !== 'hidden')
      tokens.push({ kind: kind === 'operator' ? (taken as Operator) : kind, at, text: taken });
    at += taken.length;
  }
  return { tokens: [...tokens, { kind: 'eof', at: source.length, text: '<EOF>' }], unread };
}

/** The longest token wins, as in the reference's lexer. */
function match(
  source: string,
  at: number,
): { readonly kind: (typeof patterns)[number][0]; readonly text: string } | undefined {
  let best: { kind: (typeof patterns)[number][0]; text: string } | undefined;
  const first = source[at];
  const bytes = first === 'b' || first === 'B';
  const quoted = textAt(source, bytes ? at + 1 : at);
  if (quoted !== undefined) best = bytes ? { kind: 'bytes', text: first + quoted } : { kind: 'string', text: quoted };
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined && text.length > (best?.text.length ?? 0)) best = { kind, text };
  }
  return best;
}

const partialEscape = String.raw`(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?)?[^]?`;
/** Texts that do not end: to the first character that could not go on. */
const unfinishedDouble = new RegExp(`^"(?:${escape}|[^\\\\"\\n\\r])*${partialEscape}`);
const unfinishedSingle = new RegExp(`^'(?:${escape}|[^\\\\'\\n\\r])*${partialEscape}`);

/** How far the reference's lexer reads before it gives up: to the character after which nothing could follow. */
function unreadAt(source: string, at: number): string {
  const first = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const next = source.codePointAt(at + first.length);
  const more = next === undefined ? '' : String.fromCodePoint(next);
  if (first === '=' || first === '&' || first === '|') return first + more;
  if (first === '"' || first === "'")
    return (first === '"' ? unfinishedDouble : unfinishedSingle).exec(source.slice(at))?.[0] ?? first;
  return first === '`' ? (/^`[A-Za-z0-9_.\-/ ]*[^]?/.exec(source.slice(at))?.[0] ?? first) : first;
}
