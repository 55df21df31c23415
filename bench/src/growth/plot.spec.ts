import { expect } from 'chai';
import { plotSVG, told } from './plot.ts';

describe('plots', () => {
  const svg = plotSVG({
    title: 'A & B',
    x: 'watches',
    lines: [
      {
        name: 'µs < 1',
        points: [
          [100, 1],
          [10_000, 100],
        ],
      },
      { name: 'reference', points: [[100, 10]], dashed: true },
    ],
  });

  it('place values by their logarithm', () => {
    expect(svg).to.include('<polyline points="60,312 605,34"');
    expect(svg).to.include('<polyline points="60,173"');
  });

  it('escape texts', () => {
    expect(svg).to.include('A &amp; B').and.to.include('µs &lt; 1');
  });

  it('draw what is compared with in dashes', () => {
    expect(svg.match(/stroke-dasharray/g)).to.have.length(2);
  });

  it('tell numbers as people write them', () => {
    expect([0.0123, 7.26, 123.4, 10_000].map(told)).to.deep.equal(['0.012', '7.3', '120', '10,000']);
  });
});
