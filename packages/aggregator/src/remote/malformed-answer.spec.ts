import { expect } from 'chai';
import { illegalHeader, isMalformedAnswer, malformedAnswerText } from './malformed-answer.ts';

const parseError = (text: string | undefined): Error =>
  Object.assign(new Error('Parse Error: Something'), {
    code: 'HPE_SOMETHING',
    ...(text === undefined ? {} : { rawPacket: Buffer.from(text, 'latin1') }),
  });
const broken = 'net/http: HTTP/1.x transport connection broken: ';
const ok = 'HTTP/1.1 200 OK\r\n';

const rows: readonly (readonly [name: string, answer: string | undefined, text: string])[] = [
  ['one word', 'rubbish\r\n\r\n', `${broken}malformed HTTP response "rubbish"`],
  ['words', 'this is no HTTP\r\n\r\n', `${broken}malformed HTTP status code "is"`],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', `${broken}malformed HTTP status code "2000"`],
  ['another protocol', 'ICY 200 OK\r\n\r\n', `${broken}malformed HTTP version "ICY"`],
  [
    'a header without colon',
    `${ok}no colon here\r\n\r\n`,
    `${broken}malformed MIME header: missing colon: "no colon here"`,
  ],
  ['a control character', `${ok}X-A: a\x01b\r\n\r\n`, `${broken}malformed MIME header line: "X-A: a\\x01b"`],
  ['a length that is none', `${ok}Content-Length: x\r\n\r\nhi`, `${broken}bad Content-Length "x"`],
  [
    'two lengths',
    `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi`,
    `${broken}http: message cannot contain multiple Content-Length headers; got ["2" "3"]`,
  ],
  ['what Go would take', `${ok}Content-Length: 2\r\n\r\nhi`, 'Parse Error: Something'],
  ['nothing that is known', undefined, 'Parse Error: Something'],
];

describe('an answer that is no HTTP', () => {
  for (const [name, answer, text] of rows)
    it(`is told of ${name}`, () => {
      expect(malformedAnswerText(parseError(answer))).to.equal(text);
    });

  it('is told of a head that is too long', () => {
    const error = Object.assign(new Error('Parse Error: Header overflow'), {
      code: 'HPE_HEADER_OVERFLOW',
      rawPacket: Buffer.from('aaaa'),
    });
    expect(malformedAnswerText(error)).to.equal('net/http: server response headers exceeded 1048576 bytes; aborted');
  });
  it('is one with headers that nobody could be sent', () => {
    expect(illegalHeader(['X-A', 'fine \xe4\t', 'X-B', ''])).to.equal(undefined);
    expect(illegalHeader(['X-A', 'a\x01b'])).to.equal(`${broken}malformed MIME header line: "X-A: a\\x01b"`);
    expect(illegalHeader(['X Y', '1'])).to.equal(`${broken}malformed MIME header line: "X Y: 1"`);
  });

  it('is told from other failures', () => {
    expect([
      isMalformedAnswer(parseError('')),
      isMalformedAnswer(Object.assign(new Error('x'), { code: 'ECONNRESET' })),
      isMalformedAnswer(new DOMException('late', 'TimeoutError')),
      isMalformedAnswer(new Error('x')),
    ]).to.deep.equal([true, false, false, false]);
  });
});
