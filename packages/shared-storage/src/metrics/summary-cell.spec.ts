import { expect } from 'chai';
import { SummaryCell } from './summary-cell.ts';

const hourMs = 3_600_000;

describe('SummaryCell', () => {
  it('tells quantiles to one per cent', () => {
    const cell = new SummaryCell(5 * hourMs);
    for (let i = 1; i <= 1_000; i++) cell.observe(i / 1_000, 0);
    const [half = 0, most = 0, nearlyAll = 0] = cell.quantiles([0.5, 0.9, 0.99], 0);
    expect(half).to.be.closeTo(0.5, 0.005);
    expect(most).to.be.closeTo(0.9, 0.009);
    expect(nearlyAll).to.be.closeTo(0.99, 0.0099);
    expect([cell.count, cell.sum]).to.deep.equal([1_000, 500.5]);
  });

  it('takes what took no time', () => {
    const cell = new SummaryCell(5 * hourMs);
    cell.observe(0, 0);
    expect(cell.quantiles([0.5, 0.99], 0)).to.deep.equal([0, 0]);
  });

  it('forgets what is too old, and goes on counting it', () => {
    const cell = new SummaryCell(5 * hourMs);
    cell.observe(1, 0.5 * hourMs);
    cell.observe(8, 3.5 * hourMs);
    expect(cell.quantiles([0.5], 4.5 * hourMs)[0]).to.be.closeTo(1, 0.01);
    expect(cell.quantiles([0.5], 5.5 * hourMs)[0]).to.be.closeTo(8, 0.08);
    expect(cell.quantiles([0.5], 100 * hourMs)).to.deep.equal([Number.NaN]);
    expect(cell.count).to.equal(2);
  });

  it('knows of nothing when nothing was', () => {
    expect(new SummaryCell(hourMs).quantiles([0.5, 0.9], 0)).to.deep.equal([Number.NaN, Number.NaN]);
  });
});
