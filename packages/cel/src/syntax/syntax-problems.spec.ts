import { expect } from 'chai';
import { parseExpression } from './parser.ts';

const operand =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Sources with what the reference's parser says of them, each with its offset. */
const rows: readonly (readonly [
  source: string,
  ...problems: readonly (readonly [at: number | undefined, text: string])[],
])[] = [
  ['a ==', [4, `Syntax error: mismatched input '<EOF>' expecting ${operand}`]],
  ['a + * 2', [4, `Syntax error: extraneous input '*' expecting ${operand}`]],
  [
    '1 + $',
    [4, "Syntax error: token recognition error at: '$'"],
    [5, `Syntax error: mismatched input '<EOF>' expecting ${operand}`],
  ],
  ['a.', [2, "Syntax error: no viable alternative at input '.'"]],
  ['a.true', [2, "Syntax error: mismatched input 'true' expecting IDENTIFIER"]],
  ['a b', [2, "Syntax error: extraneous input 'b' expecting <EOF>"]],
  ['a b c', [2, "Syntax error: mismatched input 'b' expecting <EOF>"]],
  [
    'a = "b"',
    [2, "Syntax error: token recognition error at: '= '"],
    [4, 'Syntax error: extraneous input \'"b"\' expecting <EOF>'],
  ],
  ['f(a,)', [4, `Syntax error: mismatched input ')' expecting ${operand}`]],
  ['(a', [2, "Syntax error: missing ')' at '<EOF>'"]],
  ['[1, 2', [5, "Syntax error: mismatched input '<EOF>' expecting {']', ','}"]],
  ['{"a" 1}', [5, "Syntax error: missing ':' at '1'"]],
  ['a ? b', [5, "Syntax error: mismatched input '<EOF>' expecting ':'"]],
  [
    '--',
    [2, "Syntax error: no viable alternative at input '-'"],
    [2, `Syntax error: mismatched input '<EOF>' expecting ${operand}`],
  ],
  [
    '"\\xFh"',
    [0, "Syntax error: token recognition error at: '\"\\xFh'"],
    [5, "Syntax error: token recognition error at: '\"'"],
    [6, `Syntax error: mismatched input '<EOF>' expecting ${operand}`],
  ],
  ['x{?.', [3, "Syntax error: mismatched input '.' expecting {IDENTIFIER, ESC_IDENTIFIER}"]],
  ['"\\udead"', [0, 'invalid unicode code point']],
  ['['.repeat(300) + ']'.repeat(300), [undefined, 'expression recursion limit exceeded: 250']],
  ['a'.repeat(100_001), [undefined, 'expression code point size exceeds limit: size: 100001, limit 100000']],
];

describe('sources that do not follow the grammar', () => {
  for (const [source, ...problems] of rows) {
    it(source.slice(0, 20), () => {
      const found = parseExpression(source);
      expect(
        'kind' in found
          ? 'parsed'
          : found.toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1)).map(({ at, text }) => [at, text]),
      ).to.deep.equal(problems);
    });
  }
});
