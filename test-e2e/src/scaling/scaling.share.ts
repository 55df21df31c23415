import { expect } from 'chai';
import { givenSeed } from '../fuzz/given-seed.ts';
import { atBodyLimit, findingText, type Bars } from './bars.ts';
import { casesOf, oneOfEach } from './cases.ts';
import { measureCase } from './measure.ts';
import { allSubjects } from './subjects.ts';

/** A quarter of the largest body: what is quadratic shows there, and many times as many cases can be tried. */
const bars: Bars = { ...atBodyLimit, bytes: atBodyLimit.bytes / 4 };
/** Half a minute of a processor, always of the same cases unless a seed is given; `npm run scaling` tries them all. */
const share = 25;

describe('objects that are filled to a quarter of the largest body', function () {
  this.timeout(20 * 60_000);

  it('cost four times as much for four times the bytes, and never hold the loop for long', async () => {
    const findings: string[] = [];
    const cases = oneOfEach('shape', casesOf(...allSubjects()), { seed: givenSeed() }).slice(0, share);
    for (const at of cases)
      for (const finding of (await measureCase(at, bars)).findings) findings.push(findingText(finding, bars));
    expect(findings.join('\n')).to.equal('');
  });
});
