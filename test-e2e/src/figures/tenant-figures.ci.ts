import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const bench = new URL('../../../bench/src/tenants.ts', import.meta.url).pathname;

/** Of docs/control-api.md; the bounds here are so wide that a busy machine holds them. */
interface Figures {
  readonly madeProcessorMs: number;
  readonly usedProcessorMs: number;
  readonly madeMB: number;
  readonly usedMB: number;
}

describe('a tenant', function () {
  this.timeout(240_000);
  let figures: Figures;

  before(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', bench, '30']);
    figures = JSON.parse(stdout) as Figures;
  });

  it('takes little memory', () => {
    expect(figures.madeMB, JSON.stringify(figures)).to.be.greaterThan(0).and.lessThan(2);
    expect(figures.usedMB, JSON.stringify(figures)).to.be.greaterThan(0).and.lessThan(3);
  });

  it('is made in little time', () => {
    expect(figures.madeProcessorMs, JSON.stringify(figures)).to.be.greaterThan(0).and.lessThan(100);
    expect(figures.usedProcessorMs, JSON.stringify(figures)).to.be.greaterThan(0).and.lessThan(100);
  });
});
