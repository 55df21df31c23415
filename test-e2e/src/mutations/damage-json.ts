import type { Values } from './values.ts';

/** A part of a text of JSON: where it begins, and where it ends. */
interface Part {
  readonly kind: 'array' | 'key' | 'literal' | 'member' | 'number' | 'object' | 'string';
  readonly start: number;
  readonly end: number;
}

/** Numbers as Go's decoders know them or not, at the edges of their types. */
const NUMBERS = (
  '1.0 1e3 1E3 1e-1 1.5e1 1e400 -1e400 1e-400 -0 -0.0 0.0 01 .5 1. +1 - 1e 0x1 NaN Infinity 2147483647 2147483648 ' +
  '-2147483649 4294967296 1e9 1e10 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 ' +
  '18446744073709551615 18446744073709551616 9007199254740993 1e18 1e19 1e20 1e21 1e22 100000000000000000000 ' +
  '1.0000000000000000001 0.1 0.30000000000000004 123456789.125'
).split(' ');

const STRINGS: readonly string[] = [
  String.raw`"\ud800"`,
  String.raw`"\udc00x"`,
  String.raw`"\ud83d\ude00"`,
  String.raw`"\ud800\ud800\udc00"`,
  String.raw`"\u0000"`,
  String.raw`"\u00e9\u2028<>&"`,
  '"\u2028<>&\u007f"',
  String.raw`"\/\b\f\n\r\t\""`,
  String.raw`"\x41"`,
  String.raw`"\u12"`,
  String.raw`"\uzzzz"`,
  '"a\tb"',
  '"a\nb"',
  '"a\u0000b"',
  '"\uFEFF"',
  "'a'",
  '"',
  '"a',
  '"\uFFFD"',
];

const LITERALS = ['tru', 'nul', 'True', 'NULL', 'undefined', 'nan', 'falsey', 'null', 'true', 'false', '', '~'];

const WHOLE = ['', ' ', 'null', '[]', '"x"', '1', 'true', '{}', '[{}]', '{', '}', '\u0000', '---', '# x', '{"kind":1}'];

const AFTER = ['}', ' {}', '\n\n', 'x', '\u0000', '// x', ' \u00a0', ',', ']', '\n---\n{}', '"', 'null', '\t\r\n '];

const BEFORE = ['\uFEFF', ' \n', '\u00a0', '\u0000', '// x\n', ',', '[', '--- ', '\f', '\u2028'];

/** Letters that Go's decoders take for one another where they fold names. */
const FOLDED: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' };

/** A text of JSON with one thing or two that hardly any encoder writes, or none. */
export function damageJSON(text: string, values: Values): Uint8Array {
  let damaged: Uint8Array = Buffer.from(text);
  for (let count = values.chance(0.2) ? 2 : 1; count > 0; count--) damaged = damageOnce(damaged, values);
  return damaged;
}

function damageOnce(bytes: Uint8Array, values: Values): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const parts = partsOf(text);
  const way = values.share();
  const put = (part: Part, by: string): Uint8Array =>
    Buffer.concat([bytes.subarray(0, part.start), Buffer.from(by), bytes.subarray(part.end)]);
  const one = (...kinds: readonly Part['kind'][]): Part | undefined => {
    const found = parts.filter(({ kind }) => kinds.includes(kind));
    return found.length === 0 ? undefined : values.pick(found);
  };
  const of = ({ end, start }: Part): string => Buffer.from(bytes.subarray(start, end)).toString('utf8');
  const value = one('array', 'literal', 'number', 'object', 'string');
  const member = one('member');
  if (member === undefined || value === undefined || way < 0.04) return Buffer.from(values.pick(WHOLE));
  if (way < 0.18) {
    const twin = values.chance(0.5) ? of(member) : `${keyOf(of(member))}:${of(value)}`;
    return put(member, values.chance(0.5) ? `${of(member)},${twin}` : `${twin},${of(member)}`);
  }
  if (way < 0.3) return put(one('key') ?? member, refolded(of(one('key') ?? member), values));
  if (way < 0.45) return put(one('number') ?? value, values.pick(NUMBERS));
  if (way < 0.5) return put(value, values.pick(NUMBERS));
  if (way < 0.62) return put(one('string') ?? value, values.pick(STRINGS));
  if (way < 0.65) return put(one('key') ?? value, values.pick(STRINGS));
  if (way < 0.7) return notUTF8(bytes, one('string', 'key') ?? value, values);
  if (way < 0.78) return put(value, 'null');
  if (way < 0.81) return put(value, values.pick(LITERALS));
  if (way < 0.84) return bytes.subarray(0, values.below(bytes.length));
  if (way < 0.88) return Buffer.concat([bytes, Buffer.from(values.pick(AFTER))]);
  if (way < 0.91) return Buffer.concat([Buffer.from(values.pick(BEFORE)), bytes]);
  if (way < 0.95) return without(bytes, text, values);
  if (way < 0.96) return put(value, nested(values));
  if (way < 0.98) return put(member, values.pick([`${of(member)},`, `,${of(member)}`, `${of(member)} /**/`, '']));
  return put(value, values.pick(['[]', '{}', '""', '[null]', '{"":null}', '[[]]', '0', 'false']));
}

function keyOf(member: string): string {
  return member.slice(0, member.indexOf('":') + 1);
}

/** A member's name in other letters, which Go's decoders take for the same in places. */
function refolded(key: string, values: Values): string {
  const name = key.slice(1, -1);
  const letter = name.search(/[ks]/);
  const ways = [
    name.toUpperCase(),
    name.toLowerCase(),
    name.charAt(0).toUpperCase() + name.slice(1),
    `${name} `,
    String.raw`\u00${(name.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}${name.slice(1)}`,
    letter < 0 ? '' : `${name.slice(0, letter)}${FOLDED[name.charAt(letter)]}${name.slice(letter + 1)}`,
  ];
  return `"${values.pick(ways)}"`;
}

/** Bytes that are no UTF-8: a lone continuation, a cut sequence, an overlong one, a surrogate's, one past the last. */
const NOT_UTF8 = ['80', 'c3', 'c080', 'eda080', 'f4908080', 'ff', 'e282', 'f09f98'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

function notUTF8(bytes: Uint8Array, { end, start }: Part, values: Values): Uint8Array {
  const at = start + 1 + values.below(Math.max(1, end - start - 1));
  return Buffer.concat([bytes.subarray(0, at), values.pick(NOT_UTF8), bytes.subarray(at)]);
}

/** Without one of the characters that give it its structure. */
function without(bytes: Uint8Array, text: string, values: Values): Uint8Array {
  const places = [...text.matchAll(/[{}[\],:"]/g)].map(({ index }) => index);
  if (places.length === 0) return bytes;
  const at = values.pick(places);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
}

function nested(values: Values): string {
  const depth = values.pick([100, 9_990, 10_001, 12_000]);
  return values.chance(0.5) ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** The parts of a text as far as it is JSON; places are those of a text of one byte each. */
function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  const skip = (): void => {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
  };
  const add = (kind: Part['kind'], start: number): void => {
    parts.push({ kind, start, end: at });
  };
  const string = (kind: 'key' | 'string'): void => {
    const start = at++;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at++;
    add(kind, start);
  };
  const value = (depth: number): void => {
    skip();
    const start = at;
    const first = text[at] ?? '';
    if (first === '"') string('string');
    else if ((first === '{' || first === '[') && depth < 100) {
      at++;
      for (skip(); at < text.length && text[at] !== '}' && text[at] !== ']'; skip()) {
        const memberStart = at;
        if (first === '{') {
          string('key');
          skip();
          at++;
        }
        value(depth + 1);
        if (first === '{') add('member', memberStart);
        skip();
        if (text[at] === ',') at++;
      }
      at++;
      add(first === '{' ? 'object' : 'array', start);
    } else {
      at++;
      while (at < text.length && !',]} \t\r\n'.includes(text[at] ?? '')) at++;
      add(/[-\d]/.test(first) ? 'number' : 'literal', start);
    }
  };
  value(0);
  return parts.filter(({ end, start }) => end > start && end <= text.length);
}
