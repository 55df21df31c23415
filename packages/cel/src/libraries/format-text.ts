import { goQuote } from '@kubechain/apimachinery';
import { parseDouble, formatDouble } from '../values/numbers.ts';
import { durationText, timestampText } from '../values/time.ts';
import {
  CelDuration,
  CelError,
  CelTime,
  CelTypeValue,
  CelUint,
  isCelError,
  isList,
  isMap,
  itemsOf,
  typeNameOf,
} from '../values/values.ts';
import type { CelList, CelMap } from '../values/values.ts';
import { FormatProblem, clauseMismatch, defaultPrecision, formatParts } from './format-clauses.ts';
import type { FormatClause } from './format-clauses.ts';

/** string.format() (cel-go ext/formatting.go, before version 4). @throws CelError */
export function formatText(format: string, args: CelList): string {
  let next: unknown;
  const take = (index: number): void => {
    if (index >= args.size) throw new FormatProblem(`index ${index} out of range`);
    next = args.at(index);
  };
  try {
    let made = '';
    for (const part of formatParts(format, take)) made += typeof part === 'string' ? part : formatArgument(part, next);
    return made;
  } catch (error) {
    throw error instanceof FormatProblem ? new CelError(error.message) : error;
  }
}

function formatArgument(clause: FormatClause, value: unknown): string {
  if (isCelError(value)) throw value;
  const mismatch = (): FormatProblem => new FormatProblem(clauseMismatch(clause, typeNameOf(value)));
  const whole = typeof value === 'bigint' ? value : value instanceof CelUint ? value.value : undefined;
  switch (clause.kind) {
    case 'string':
      return textOf(value, mismatch);
    case 'decimal':
      if (whole === undefined) throw mismatch();
      return String(whole);
    case 'binary':
      if (whole === undefined && typeof value !== 'boolean') throw mismatch();
      return whole === undefined ? String(Number(value)) : whole.toString(2);
    case 'octal':
      if (whole === undefined) throw mismatch();
      return whole.toString(8);
    case 'hex': {
      const bytes =
        typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? Buffer.from(value) : undefined;
      if (whole === undefined && bytes === undefined) throw mismatch();
      const text = whole?.toString(16) ?? bytes?.toString('hex') ?? '';
      return clause.upper ? text.toUpperCase() : text;
    }
    case 'fixed':
    case 'scientific':
      return decimals(clause, value, mismatch);
  }
}

function decimals(
  { kind, precision }: FormatClause & { kind: 'fixed' | 'scientific' },
  value: unknown,
  mismatch: () => FormatProblem,
): string {
  const special = value === 'NaN' || value === 'Infinity' || value === '-Infinity';
  if (typeof value !== 'number' && !special) throw mismatch();
  const number = typeof value === 'number' ? value : parseDouble(String(value));
  // As golang.org/x/text prints them for en-US.
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : number < 0 ? '-∞' : '∞';
  if (kind === 'fixed') return grouped(toFixed(number, precision));
  const [digits = '', exponent = '+0'] = toExponential(number, precision).split('e');
  return `${digits}×10${Array.from(
    String(Number(exponent))
      .padStart(2, '0')
      .replace(/^-(\d)$/, '-0$1'),
  )
    .map((character) => superscripts.get(character) ?? character)
    .join('')}`;
}

const superscripts: ReadonlyMap<string, string> = new Map(
  Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹')
    .map((character, i): [string, string] => [String(i), character])
    .concat([['-', '⁻']]),
);

/** With so many digits after the point; what lies in the middle goes to the even digit, as Go rounds it. */
function toFixed(value: number, precision: number): string {
  if (Math.abs(value) >= 1e21 || precision > 100)
    return `${BigInt(value)}${precision > 0 ? `.${'0'.repeat(precision)}` : ''}`;
  const isMiddle = Number.isInteger(value * 2 ** (precision + 1)) && !Number.isInteger(value * 2 ** precision);
  return isMiddle ? roundedToEven(value.toFixed(precision + 1), value.toFixed(precision)) : value.toFixed(precision);
}

/** The most digits that JavaScript writes. */
const mostDigits = 100;

function toExponential(value: number, precision: number): string {
  if (precision >= mostDigits) return value.toExponential(mostDigits);
  const [all = ''] = value.toExponential(mostDigits).split('e');
  const isMiddle = /^50*$/.test(all.slice(all.indexOf('.') + 1 + precision));
  if (!isMiddle) return value.toExponential(precision);
  const [longer = '', exponent = ''] = value.toExponential(precision + 1).split('e');
  const [shorter = '', raised = ''] = value.toExponential(precision).split('e');
  const digits = roundedToEven(longer, shorter);
  return `${digits}e${digits === shorter ? raised : exponent}`;
}

/**
 * Of digits that end in the 5 that is to go: without it if an even digit is before it, else what they are raised to.
 */
function roundedToEven(digits: string, raised: string): string {
  const cut = digits.slice(0, -1).replace(/\.$/, '');
  return Number(cut.at(-1)) % 2 === 0 ? cut : raised;
}

/** Thousands apart. */
function grouped(text: string): string {
  const start = text.startsWith('-') ? 1 : 0;
  const end = start + (/^\d*/.exec(text.slice(start))?.[0].length ?? 0);
  const groups: string[] = [];
  for (let at = end; at > start; at -= 3) groups.push(text.slice(Math.max(start, at - 3), at));
  return text.slice(0, start) + groups.reverse().join(',') + text.slice(end);
}

function textOf(value: unknown, mismatch: () => FormatProblem): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatDouble(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
  }
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof CelTime) return timestampText(value);
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelTypeValue) return value.typeName;
  if (isList(value)) return listText(value);
  if (isMap(value)) return mapText(value);
  throw mismatch();
}

function listText(list: CelList): string {
  return `[${itemsOf(list).map(literalText).join(', ')}]`;
}

function mapText(map: CelMap): string {
  const pairs: [string, string][] = [];
  for (const key of map.keys()) {
    if (typeof key !== 'string' && typeof key !== 'boolean' && typeof key !== 'bigint' && !(key instanceof CelUint))
      throw new FormatProblem(`error during formatting: no formatting function for map key of type ${typeNameOf(key)}`);
    pairs.push([literalText(key), literalText(map.get(key))]);
  }
  return `{${pairs
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((pair) => pair.join(':'))
    .join(', ')}}`;
}

/** A value inside a list or map, as a literal. */
function literalText(value: unknown): string {
  if (isCelError(value)) throw value;
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? toFixed(value, defaultPrecision)
      : goQuote(Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');
  if (value instanceof Uint8Array) return `b${goQuote(Buffer.from(value).toString())}`;
  if (value instanceof CelTime) return `timestamp(${goQuote(timestampText(value))})`;
  if (value instanceof CelDuration) return `duration(${goQuote(durationText(value))})`;
  return textOf(
    value,
    () => new FormatProblem(`error during formatting: no formatting function for ${typeNameOf(value)}`),
  );
}
