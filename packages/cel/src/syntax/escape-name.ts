/** Words of CEL, which can name nothing else. */
export const reservedWords: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);
const escapes = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);

/** Whether a name is a word of CEL; as a field it may also be written as it is. */
export function isReserved(name: string): boolean {
  return reservedWords.has(name);
}

/** A property's name as CEL rules write it; undefined where they cannot (apiserver/cel escaping.go, 1.36). */
export function escapeName(name: string): string | undefined {
  if (reservedWords.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  return name.replace(/__|[.\-/]/g, (match) => escapes.get(match) ?? match);
}

const unescapes = new Map([...escapes].map(([text, escape]) => [escape, text]));

/**
 * What {@link escapeName} was given; undefined for what it cannot have made (apiserver/cel escaping.go Unescape, 1.36).
 */
export function unescapeName(escaped: string): string | undefined {
  let whole = true;
  const name = escaped.replace(/__[^_]+__/g, (match) => {
    const word = match.slice(2, -2);
    const text = unescapes.get(match) ?? (reservedWords.has(word) && match === escaped ? word : undefined);
    whole &&= text !== undefined;
    return text ?? '';
  });
  return whole ? name : undefined;
}
