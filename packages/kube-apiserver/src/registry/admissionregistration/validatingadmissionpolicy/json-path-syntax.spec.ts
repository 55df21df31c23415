import { expect } from 'chai';
import { jsonPathProblem } from './json-path-syntax.ts';

const sound = [
  'spec.validations[0].expression',
  '.a',
  '..a',
  '..',
  'a b',
  '$.a@b',
  ".a['b/c'].d",
  '.a[*][:][][1:2:-3][-1]',
  ".a['b','c',1]",
  '[?(@.a=="b)")].c',
  "[?(@.a)]['b']",
  '[?(@.a>=1.5)]',
  '"a\\"b\\x41\\u00e9\\101"',
  String.raw`.a\}b`,
  '1.5',
  '+.5',
  'a}b{c',
  'true',
];
const broken: readonly (readonly [path: string, problem: string])[] = [
  ['a{', "unrecognized character in action: U+007B '{'"],
  ['.a]', "unrecognized character in action: U+005D ']'"],
  ['a\tb', 'unrecognized character in action: U+0009'],
  ['😀', "unrecognized character in action: U+1F600 '😀'"],
  ['(', "unrecognized character in action: U+0028 '('"],
  ['.a,b', "unrecognized character in action: U+002C ','"],
  ['a\nb', 'unclosed action'],
  ['.a\\', 'unclosed action'],
  ['....a', 'invalid multiple recursive descent'],
  ['..@..', 'invalid multiple recursive descent'],
  ["['.']..", 'invalid multiple recursive descent'],
  ['1.2.3', 'cannot parse number 1.2.3'],
  ['-', 'cannot parse number -'],
  ['٣', 'cannot parse number ٣'],
  [`1${'0'.repeat(400)}`, `cannot parse number 1${'0'.repeat(400)}`],
  ['a[', 'unterminated array'],
  ['a[1\n]', 'unterminated array'],
  ['a[b]', 'invalid array index b'],
  ['a[1:2:3:4]', 'invalid array index 1:2:3:4'],
  ['a[1, b]', 'invalid array index b'],
  ['a[-]', 'array index - is not a number'],
  ['a[0:9223372036854775808]', 'array index 9223372036854775808 is not a number'],
  ['[?(a', 'unterminated filter'],
  ['[?(a==")")', 'unclosed array expect ]'],
  ['[?(a=="b)]', 'unterminated filter'],
  ['[?(a=={)]', "unrecognized character in action: U+007B '{'"],
  ['[?(a==)]', "unrecognized character in action: U+003D '='"],
  ['"a', 'unterminated quoted string'],
  [String.raw`"a\z"`, String.raw`unquote string "a\z" error invalid syntax`],
  [String.raw`'\ud800'`, String.raw`unquote string '\ud800' error invalid syntax`],
  [String.raw`'\"'`, String.raw`unquote string '\"' error invalid syntax`],
  [String.raw`'\777'`, String.raw`unquote string '\777' error invalid syntax`],
];

describe('the syntax of JSONPath templates', () => {
  for (const path of sound)
    it(`takes ${path}`, () => {
      expect(jsonPathProblem(`{${path}}`)).to.equal(undefined);
    });
  for (const [path, problem] of broken)
    it(`refuses ${path.slice(0, 40)}`, () => {
      expect(jsonPathProblem(`{${path}}`)).to.equal(problem);
    });

  it('is looked at in time that grows with the text alone', () => {
    const size = 200_000;
    for (const path of [
      String.raw`[?(.a\'`.repeat(size) + "')]".repeat(size),
      '[?('.repeat(size),
      '[1,'.repeat(size),
      '"'.repeat(size),
      String.raw`"\"`.repeat(size),
      `${'a[0]'.repeat(size)}(`,
      '}{'.repeat(size),
      `[?(${'='.repeat(size)})]`,
      `a[${':'.repeat(size)}]`,
      '+'.repeat(size),
    ]) {
      const startedAt = performance.now();
      jsonPathProblem(`{${path}}`);
      expect(performance.now() - startedAt, path.slice(0, 10)).to.be.below(1_000);
    }
  });
});
