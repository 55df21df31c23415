import { expect } from 'chai';
import fc from 'fast-check';
import { syntaxError } from './syntax-error.ts';

const END = 'unexpected end of JSON input';
const rows: [name: string, text: string, error: string | undefined][] = [
  ['valid', ' {"a":[1,-2.5e+3,true,null,"\\u00e9"]} \n', undefined],
  ['empty', '', END],
  ['spaces', '   ', END],
  ['word', 'hello', "invalid character 'h' looking for beginning of value"],
  ['trailing comma in an object', '{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['trailing comma in a list', '[1,]', "invalid character ']' looking for beginning of value"],
  ['key without quotes', '{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['missing colon', '{"a" 1}', "invalid character '1' after object key"],
  ['missing comma', '{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
  ['missing comma in a list', '[1 2]', "invalid character '2' after array element"],
  ['wrong bracket', '[1}', "invalid character '}' after array element"],
  ['second value', '{} x', "invalid character 'x' after top-level value"],
  ['half a literal', 'tru', "invalid character ' ' in literal true (expecting 'e')"],
  ['wrong literal', 'trux', "invalid character 'x' in literal true (expecting 'e')"],
  ['null misspelt', '[nuLl]', "invalid character 'L' in literal null (expecting 'l')"],
  ['tab in a string', '"a\tb"', "invalid character '\\t' in string literal"],
  ['bad escape', '"\\q"', "invalid character 'q' in string escape code"],
  ['bad unicode escape', '"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['open string', '"abc', END],
  ['lone minus', '-', "invalid character ' ' in numeric literal"],
  ['a point at the end', '[1.', "invalid character ' ' after decimal point in numeric literal"],
  ['an exponent at the end', '1e+', "invalid character ' ' in exponent of numeric literal"],
  ['half an escape', '"\\', "invalid character ' ' in string escape code"],
  ['half a code', '"\\u12', "invalid character ' ' in \\u hexadecimal character escape"],
  ['minus and letter', '-x', "invalid character 'x' in numeric literal"],
  ['leading zero', '01', "invalid character '1' after top-level value"],
  ['point without digits', '1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['exponent without digits', '1e}', "invalid character '}' in exponent of numeric literal"],
  ['apostrophe', "'", "invalid character '\\'' looking for beginning of value"],
  ['byte order mark', '\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['control character', '\u0001', "invalid character '\\x01' looking for beginning of value"],
  ['too deep (jsonDepth)', '['.repeat(2_501), "invalid character '[' exceeded max depth"],
  ['deep enough', '['.repeat(2_500) + ']'.repeat(2_500), undefined],
];

describe('syntaxError', () => {
  for (const [name, text, error] of rows)
    it(name, () => {
      expect(syntaxError(Buffer.from(text))).to.equal(error);
    });

  it('agrees with JSON.parse on what is JSON', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      'a',
      '\\',
      'n',
      'null',
      'true',
      '0',
      '1',
      '-',
      '.',
      'e',
      '+',
      ' ',
      '\n',
      '"k"',
      '\\u0041',
    );
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join('')),
        (text) => {
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          expect(syntaxError(Buffer.from(text)) === undefined).to.equal(valid);
        },
      ),
      { numRuns: 5000 },
    );
  });
});
