/** What string.format() does with an argument; `precision` is the number of decimals, if the clause says it. */
export type FormatClause =
  | { readonly kind: 'string' | 'decimal' | 'binary' | 'octal' }
  | { readonly kind: 'hex'; readonly upper: boolean }
  | { readonly kind: 'fixed' | 'scientific'; readonly precision: number };

/** A part of a format: text as it is, or a clause for the next argument. */
export type FormatPart = string | FormatClause;

export const defaultPrecision = 6;
const wrong = 'could not parse formatting clause: ';

/**
 * Cuts a format into its parts (cel-go ext/formatting.go). `onClause` is told of each clause before it is read, as a
 * missing argument is noticed first. @throws Error with the reference's text
 */
export function* formatParts(format: string, onClause: (index: number) => void): Generator<FormatPart> {
  let index = 0;
  for (let at = 0; at < format.length;) {
    const percent = format.indexOf('%', at);
    if (percent < 0) {
      yield format.slice(at);
      return;
    }
    if (percent > at) yield format.slice(at, percent);
    if (format[percent + 1] === '%') {
      yield '%';
      at = percent + 2;
      continue;
    }
    onClause(index++);
    if (percent + 1 >= format.length) throw new FormatProblem('unexpected end of string');
    const { clause, length } = readClause(format.slice(percent + 1));
    yield clause;
    at = percent + 1 + length;
  }
}

/** What is wrong with a format or its arguments. */
export class FormatProblem extends Error {
  override readonly name = 'FormatProblem';
}

function readClause(text: string): { readonly clause: FormatClause; readonly length: number } {
  let at = 0;
  let precision = defaultPrecision;
  if (text.startsWith('.')) {
    const digits = /^\d*/.exec(text.slice(1))?.[0] ?? '';
    at = 1 + digits.length;
    if (at >= text.length)
      throw new FormatProblem(`${wrong}error while parsing precision: could not find end of precision specifier`);
    if (digits === '')
      throw new FormatProblem(
        `${wrong}error while parsing precision: error while converting precision to integer: strconv.Atoi: ` +
          'parsing "": invalid syntax',
      );
    precision = Number(digits);
  }
  const letter = text[at] ?? '';
  const length = at + 1;
  switch (letter) {
    case 's':
      return { clause: { kind: 'string' }, length };
    case 'd':
      return { clause: { kind: 'decimal' }, length };
    case 'f':
      return { clause: { kind: 'fixed', precision }, length };
    case 'e':
      return { clause: { kind: 'scientific', precision }, length };
    case 'b':
      return { clause: { kind: 'binary' }, length };
    case 'x':
    case 'X':
      return { clause: { kind: 'hex', upper: letter === 'X' }, length };
    case 'o':
      return { clause: { kind: 'octal' }, length };
    default:
      throw new FormatProblem(`${wrong}unrecognized formatting clause "${letter}"`);
  }
}

/** What is said of an argument of a type that a clause does not take. */
export function clauseMismatch({ kind }: FormatClause, given: string): string {
  const needs: Record<FormatClause['kind'], string> = {
    string:
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, ' +
      'and timestamps',
    decimal: 'decimal clause can only be used on integers',
    fixed: 'fixed-point clause can only be used on doubles',
    scientific: 'scientific clause can only be used on doubles',
    binary: 'only integers and bools can be formatted as binary',
    hex: 'only integers, byte buffers, and strings can be formatted as hex',
    octal: 'octal clause can only be used on integers',
  };
  return `error during formatting: ${needs[kind]}, was given ${given}`;
}
