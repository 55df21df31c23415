/** How a quantity likes to be written: `12e6`, `12Mi` or `12M`. */
export type QuantityFormat = 'DecimalExponent' | 'BinarySI' | 'DecimalSI';

/** What a suffix means: `base^exponent`. */
export interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const bySuffix = new Map<string, Suffix>();
decimal.forEach((text, i) => bySuffix.set(text, { base: 10, exponent: i * 3 - 9, format: 'DecimalSI' }));
binary.forEach((text, i) => bySuffix.set(text, { base: 2, exponent: (i + 1) * 10, format: 'BinarySI' }));

/** `undefined` for a suffix that does not exist. */
export function interpretSuffix(text: string): Suffix | undefined {
  const known = bySuffix.get(text);
  if (known !== undefined) return known;
  if (!/^[eE][-+]?[0-9]+$/.test(text)) return undefined;
  const digits = text.slice(/^[-+]/.test(text.slice(1)) ? 2 : 1).replace(/^0+/, '');
  // No int64 has more than 19 digits.
  if (digits.length > 19) return undefined;
  const exponent = BigInt(digits) * (text[1] === '-' ? -1n : 1n);
  if (exponent > 2n ** 63n - 1n || exponent < -(2n ** 63n)) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
}

/** The suffix for an exponent; empty where the format has none. */
export function formatSuffix(base: 2 | 10, exponent: number, format: QuantityFormat): string {
  if (format === 'DecimalExponent') return exponent === 0 ? '' : `e${exponent}`;
  if (base === 2) return binary[exponent / 10 - 1] ?? '';
  return decimal[exponent / 3 + 3] ?? '';
}
