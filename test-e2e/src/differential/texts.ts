import type { FuzzRandom } from '../fuzz/fuzz-random.ts';

/*
 * Texts near what a parser knows: pieces of its language in any order.
 */

// U+0085 and byte order marks are left out: the way back through sigs.k8s.io/yaml changes them.
// prettier-ignore
const YAML_PIECES = [
  'a', 'b', 'x', 'a: ', 'b: ', '- ', '  ', '\n', '\n  ', '\n    ', '\r\n', '? ', ': ', ':', '#c', '# c', '\t',
  '[', ']', '{', '}', ',', ', ', '{a: 1}', '[1, 2]', '&a ', '*a', '*a ', '<<: ', '<<', '<<: *a\n',
  'a: &a {x: 1}\n', 'b:\n  <<: *a\n  x: 2\n', '<<: [*a, {c: d}]\n', '{<<: *a, b: 2}', 'key: value\n', '- item\n',
  '"', "'", '"x y"', "'it''s'", '\\', '\\n', '\\x41', '|', '>', '|-\n', '|+\n', '>\n  ', '|2\n',
  '---\n', '--- ', '...\n', '!!str ', '!!int ', '!!float ', '! ', '!x ', '%YAML 1.1\n', '%TAG ! x\n',
  '1', '0x1F', '017', '1.5', '1e3', '.5', '~', 'null', 'true', 'yes', '.inf', '2001-01-01', '_', '0b11', '1_000',
  '@', '`', '%', '-', '..', 'é', '\u2028', '😀',
];

/** Something like YAML. */
export function yamlText(random: FuzzRandom): string {
  let text = '';
  for (let left = 1 + random.below(14); left > 0; left--) text += random.pick(YAML_PIECES);
  return text;
}

// prettier-ignore
const TEXT_PIECES = [
  'a', 'b', ' ', '  ', '\n', '\n\n', '\t', ':', ': ', '#', ' #', '-', '- ', '?', '"', "'", '\\', '\u0001', 'é',
  '😀', '{', '[', '*', '&', '!', '|', '>', '%', '@', '1', '0', 'true', 'null', 'y', '~', '<<', '=', '_', '.',
  'long word '.repeat(5), 'x'.repeat(60),
];

/** A JSON value with texts that YAML has to quote. */
export function plainValue(random: FuzzRandom, depth: number): unknown {
  const text = (): string => random.list(7, () => random.pick(TEXT_PIECES)).join('');
  switch (random.below(depth > 3 ? 4 : 7)) {
    case 0:
      return null;
    case 1:
      return random.below(1000) - 500;
    case 2:
      return random.chance(2);
    case 3:
      return text();
    case 4:
      return random.list(3, () => plainValue(random, depth + 1));
    default:
      return Object.fromEntries(random.list(3, () => [text(), plainValue(random, depth + 1)]));
  }
}

const pieces =
  (alphabet: readonly string[], most: number) =>
  (random: FuzzRandom): string =>
    random.list(most, () => random.pick(alphabet)).join('');

export const duration = pieces(
  [
    '1',
    '0',
    '9',
    '.',
    '-',
    '+',
    'h',
    'm',
    's',
    'ms',
    'us',
    'µs',
    'μs',
    'ns',
    '1h',
    '2m',
    '3.5s',
    '9223372036854775807ns',
    'd',
    ' ',
    'é',
    '99999999999999999999',
  ],
  6,
);

const quantityPieces = pieces(
  [
    '1',
    '0',
    '9',
    '.',
    '-',
    '+',
    'n',
    'u',
    'm',
    'k',
    'M',
    'G',
    'T',
    'P',
    'E',
    'Ki',
    'Mi',
    'Ei',
    'e',
    'e3',
    'E-4',
    'e10',
    '000',
    '123456789',
    ' ',
  ],
  5,
);

/** Exponents of four digits and more are beyond a limit that the reference does not have. */
export function quantity(random: FuzzRandom): string {
  const text = quantityPieces(random);
  return /[eE][-+]?\d{4}/.test(text) ? quantity(random) : text;
}

export const labelSelector = pieces(
  [
    'a',
    'b',
    'x',
    '=',
    '==',
    '!=',
    '!',
    ',',
    ' in ',
    ' notin ',
    'in',
    '(',
    ')',
    ' ',
    'example.com/',
    '-',
    '.',
    '>',
    '<',
    '1',
    'é',
    '\t',
  ],
  7,
);

export const fieldSelector = pieces(['a', 'metadata.name', '=', '==', '!=', ',', '\\', '\\,', '\\=', ' ', 'b', 'é'], 7);
