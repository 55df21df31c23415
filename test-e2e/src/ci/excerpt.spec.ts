import { expect } from 'chai';
import { excerptOf } from './excerpt.ts';

describe('what CI repeats of a job that did not pass', () => {
  it('is the failures that mocha lists, of each of its runs', () => {
    const output = [
      '  a',
      '    ✔ b',
      '    1) c',
      '',
      '  1 passing (3s)',
      '  1 failing',
      '',
      '  1) a',
      '       c:',
      '     Error: no',
      '> npm run test:e2e',
      '  7 passing (1m)',
      '  1 failing',
      '  1) d',
    ];
    expect(excerptOf({ counts: 'mocha' }, output.join('\n')).split('\n')).to.deep.equal([
      '      1 failing',
      '    ',
      '      1) a',
      '           c:',
      '         Error: no',
      '      1 failing',
      '      1) d',
      '',
    ]);
  });

  it('is the last lines where nothing else tells', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    expect(excerptOf({ counts: 'mocha' }, lines.join('\n')).split('\n')).to.have.length(41);
    expect(excerptOf({}, '  1 failing\nwhy\n')).to.equal('      1 failing\n    why\n    \n');
  });
});
