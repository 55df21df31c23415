import { StageError } from '../stage-error.ts';

/** A piece of an action: `{{ if eq .type "Ready" }}` has `if`, `eq`, `.type` and a string. */
export type TemplateToken =
  | { readonly kind: 'text'; readonly text: string; readonly line: number }
  | { readonly kind: 'open' | 'close'; readonly line: number }
  | { readonly kind: 'string'; readonly value: string; readonly line: number }
  | { readonly kind: 'number'; readonly value: number; readonly line: number }
  /** `$`, `$name`: the name without the sign. */
  | { readonly kind: 'variable'; readonly name: string; readonly line: number }
  /** `.name` directly after what it is a field of, or at the beginning of an operand; `joined` tells which. */
  | { readonly kind: 'field'; readonly name: string; readonly joined: boolean; readonly line: number }
  | { readonly kind: 'dot'; readonly line: number }
  | { readonly kind: 'word'; readonly name: string; readonly line: number }
  | { readonly kind: 'sign'; readonly sign: '|' | '(' | ')' | ':=' | '=' | ','; readonly line: number };

const spaces = /[ \t\r\n]/;
const letters = /[A-Za-z0-9_]/;
const signs = ['|', '(', ')', ':=', '=', ','] as const;

/**
 * Splits a template into texts and the tokens of its actions, as Go's text/template/parse: comments go, and `{{-` and
 * `-}}` take the space beside them away. @throws StageError with the line
 */
export function templateTokens(source: string): TemplateToken[] {
  const tokens: TemplateToken[] = [];
  let at = 0;
  let line = 1;
  let trimNext = false;
  while (at < source.length) {
    const open = source.indexOf('{{', at);
    const end = open === -1 ? source.length : open;
    let text = source.slice(at, end);
    const textLine = line;
    line += newlinesIn(text);
    if (trimNext) text = text.replace(/^[ \t\r\n]+/, '');
    const trims = open !== -1 && source[open + 2] === '-' && spaces.test(source[open + 3] ?? '');
    if (trims) text = text.trimEnd();
    if (text !== '') tokens.push({ kind: 'text', text, line: textLine });
    trimNext = false;
    if (open === -1) break;
    const inside = open + 2 + (trims ? 1 : 0);
    const comment = /^\s*\/\*[\s\S]*?\*\/\s*(-?)\}\}/.exec(source.slice(inside));
    if (comment !== null) {
      at = inside + comment[0].length;
      trimNext = comment[1] === '-';
      line += newlinesIn(comment[0]);
      continue;
    }
    const action = actionTokens(source, inside, line);
    tokens.push({ kind: 'open', line }, ...action.tokens, { kind: 'close', line: action.line });
    ({ at, line, trimNext } = action);
  }
  return tokens;
}

interface Action {
  readonly tokens: TemplateToken[];
  readonly at: number;
  readonly line: number;
  readonly trimNext: boolean;
}

function actionTokens(source: string, start: number, startLine: number): Action {
  const tokens: TemplateToken[] = [];
  let at = start;
  let line = startLine;
  const word = (from: number): string => {
    let end = from;
    while (letters.test(source[end] ?? '')) end++;
    return source.slice(from, end);
  };
  while (at < source.length) {
    const char = source[at]!;
    if (source.startsWith('}}', at)) return { tokens, at: at + 2, line, trimNext: false };
    if (char === '-' && source.startsWith('}}', at + 1) && spaces.test(source[at - 1] ?? ''))
      return { tokens, at: at + 3, line, trimNext: true };
    if (spaces.test(char)) {
      if (char === '\n') line++;
      at++;
      continue;
    }
    if (char === '"' || char === '`' || char === "'") {
      const literal = literalAt(source, at, line);
      tokens.push(
        char === "'"
          ? { kind: 'number', value: literal.value.codePointAt(0) ?? 0, line }
          : { kind: 'string', value: literal.value, line },
      );
      line += newlinesIn(source.slice(at, literal.end));
      at = literal.end;
      continue;
    }
    if (char === '$') {
      const name = word(at + 1);
      tokens.push({ kind: 'variable', name, line });
      at += 1 + name.length;
      continue;
    }
    const number = /^[+-]?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(source.slice(at, at + 40));
    if (number !== null) {
      tokens.push({ kind: 'number', value: Number(number[0]), line });
      at += number[0].length;
      continue;
    }
    if (char === '.') {
      const name = word(at + 1);
      if (name === '') tokens.push({ kind: 'dot', line });
      else tokens.push({ kind: 'field', name, joined: /[A-Za-z0-9_)$]/.test(source[at - 1] ?? ''), line });
      at += 1 + name.length;
      continue;
    }
    if (letters.test(char)) {
      const name = word(at);
      tokens.push({ kind: 'word', name, line });
      at += name.length;
      continue;
    }
    const sign = signs.find((one) => source.startsWith(one, at));
    if (sign === undefined) throw new StageError(`line ${line}: unexpected ${JSON.stringify(char)} in an action`);
    tokens.push({ kind: 'sign', sign, line });
    at += sign.length;
  }
  throw new StageError(`line ${startLine}: unclosed action`);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' };

function literalAt(source: string, start: number, line: number): { readonly value: string; readonly end: number } {
  const quote = source[start];
  let value = '';
  for (let at = start + 1; at < source.length; at++) {
    const char = source[at]!;
    if (char === quote) return { value, end: at + 1 };
    if (char === '\n' && quote !== '`') break;
    if (char !== '\\' || quote === '`') {
      value += char;
      continue;
    }
    const next = source[++at] ?? '';
    const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(source.slice(at, at + 5));
    if (code !== null) {
      value += String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? '', 16));
      at += code[0].length - 1;
    } else if (escapes[next] !== undefined) value += escapes[next];
    else throw new StageError(`line ${line}: escape \\${next} is not supported`);
  }
  throw new StageError(`line ${line}: unterminated quoted string`);
}

function newlinesIn(text: string): number {
  let count = 0;
  for (const char of text) if (char === '\n') count++;
  return count;
}
