import { expect } from 'chai';
import { ageSince } from './age-cell.ts';
import type { AgeCell } from './age-cell.ts';

describe('ageSince', () => {
  it('is relative to the time at which it is printed', () => {
    const cell = ageSince('2026-01-01T00:00:00Z') as AgeCell;
    expect(cell.text(Date.parse('2026-01-01T00:05:00Z'))).to.equal('5m');
    expect(cell.text(Date.parse('2026-01-01T05:00:00Z'))).to.equal('5h');
  });

  it('may stand in a text', () => {
    const cell = ageSince('1970-01-01T00:00:00Z', { before: '3 (', after: ' ago)' }) as AgeCell;
    expect(cell.text(60_000)).to.equal('3 (60s ago)');
  });

  it('is unknown without a timestamp', () => {
    for (const nothing of [undefined, null, '']) expect(ageSince(nothing)).to.equal('<unknown>');
  });
});
