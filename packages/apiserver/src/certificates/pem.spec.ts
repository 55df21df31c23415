import { expect } from 'chai';
import { encodePEM, firstPEMBlock, pemBlocks } from './pem.ts';

const good = '-----BEGIN A-----\nQUJD\n-----END A-----\n';
const typesOf = (text: string): string[] =>
  [...pemBlocks(text)].map(({ type, hasHeaders, bytes }) => `${type}${hasHeaders ? '+' : ''} ${bytes.toString()}`);

describe('blocks of PEM', () => {
  // As encoding/pem of Go 1.26 answers.
  const cases: readonly (readonly [name: string, text: string, blocks: readonly string[]])[] = [
    ['one', good, ['A ABC']],
    ['two with words between', `${good}hello\n${good.replaceAll('A-', 'B-')}bye`, ['A ABC', 'B ABC']],
    ['carriage returns', good.replaceAll('\n', '\r\n'), ['A ABC']],
    ['no line break at the end', good.trimEnd(), ['A ABC']],
    ['a blank before BEGIN', ` ${good}`, []],
    ['words before BEGIN on its line, then a good one', `x${good}${good.replaceAll('A-', 'B-')}`, ['B ABC']],
    ['words behind END on its line', good.replace('END A-----', 'END A-----x'), []],
    ['white space behind END on its line', good.replace('END A-----', 'END A----- \t'), ['A ABC']],
    ['white space behind BEGIN', good.replace('BEGIN A-----', 'BEGIN A----- \t'), ['A ABC']],
    ['headers', good.replace('QUJD', 'k: v\n\nQUJD'), ['A+ ABC']],
    ['headers without an empty line', good.replace('QUJD', 'k: v\nQUJD'), ['A+ ABC']],
    ['headers and nothing else', '-----BEGIN A-----\nk: v\n-----END A-----\n', []],
    ['an empty block', '-----BEGIN A-----\n-----END A-----\n', ['A ']],
    ['another END', good.replace('END A', 'END B'), []],
    ['BEGIN twice: the last counts', `-----BEGIN B-----\n${good}`, ['A ABC']],
    ['what is no base64', good.replace('QUJD', 'QU!D'), []],
    ['missing padding', good.replace('QUJD', 'QUI'), []],
    ['blanks and breaks in the content', good.replace('QUJD', ' QU\tJ\n\nD '), ['A ABC']],
    ['no END', '-----BEGIN A-----\nQUJD\n', []],
    ['a type without dashes behind it', good.replace('BEGIN A-----', 'BEGIN A----'), []],
    ['no type', good.replaceAll(' A-', ' -'), [' ABC']],
  ];
  for (const [name, text, blocks] of cases)
    it(`are read as Go reads them: ${name}`, () => {
      expect(typesOf(text)).to.deep.equal(blocks);
    });

  it('are read in linear time, whatever their lines look like', () => {
    const cost = (count: number): number => {
      const texts = [
        '-----BEGIN A-----\n',
        '\n-----END A-----x',
        'x-----BEGIN A-----\n-----END B-----\n',
        'k: v\n',
        '-----BEGIN A-----\n-----END B-----:\n',
      ];
      const started = process.cpuUsage();
      for (const text of texts) expect([...pemBlocks(text.repeat(count))]).to.have.length(0);
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    cost(1_000);
    expect(Math.min(cost(40_000), cost(40_000))).to.be.lessThan(1_500_000);
  });
  it('are written as they are read', () => {
    const bytes = Buffer.alloc(100, 7);
    expect(firstPEMBlock(encodePEM('X Y', bytes))).to.deep.equal({ type: 'X Y', hasHeaders: false, bytes });
    expect(firstPEMBlock('')).to.equal(undefined);
  });
});
