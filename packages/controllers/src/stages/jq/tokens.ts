import { StageError } from '../stage-error.ts';

export type QueryToken =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'word'; readonly name: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'sign'; readonly sign: string };

const signs = ['==', '!=', '<=', '>=', '//', '|', ',', '<', '>', '(', ')', '[', ']', '?', '.', ':', ';', '-'];
const word = /[A-Za-z0-9_]/;

/** Splits a jq query of the subset that is understood. @throws StageError */
export function queryTokens(source: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  const nameAt = (from: number): string => {
    let end = from;
    while (word.test(source[end] ?? '')) end++;
    return source.slice(from, end);
  };
  for (let at = 0; at < source.length;) {
    const char = source[at]!;
    if (char.trim() === '') {
      at++;
      continue;
    }
    const quoted = char === '"' ? at : char === '.' && source[at + 1] === '"' ? at + 1 : -1;
    if (quoted >= 0) {
      let end = quoted + 1;
      while (end < source.length && source[end] !== '"') end += source[end] === '\\' ? 2 : 1;
      let value: string;
      try {
        value = JSON.parse(source.slice(quoted, end + 1)) as string;
      } catch (cause) {
        throw new StageError(`unterminated string in ${source}`, { cause });
      }
      tokens.push(quoted === at ? { kind: 'string', value } : { kind: 'field', name: value });
      at = end + 1;
      continue;
    }
    if (char >= '0' && char <= '9') {
      const digits = /^\d+(?:\.\d+)?/.exec(source.slice(at, at + 40))![0];
      tokens.push({ kind: 'number', value: Number(digits) });
      at += digits.length;
      continue;
    }
    if (char === '.' && /[A-Za-z_]/.test(source[at + 1] ?? '')) {
      const name = nameAt(at + 1);
      tokens.push({ kind: 'field', name });
      at += 1 + name.length;
      continue;
    }
    if (word.test(char)) {
      const name = nameAt(at);
      tokens.push({ kind: 'word', name });
      at += name.length;
      continue;
    }
    const sign = signs.find((one) => source.startsWith(one, at));
    if (sign === undefined) throw new StageError(`${JSON.stringify(char)} is not supported in the query ${source}`);
    tokens.push({ kind: 'sign', sign });
    at += sign.length;
  }
  return tokens;
}
