import { expect } from 'chai';
import { KeptDocuments } from './kept-documents.ts';

describe('KeptDocuments', () => {
  it('keeps so many bytes together, a value as 40 of them', () => {
    const kept = new KeptDocuments(1_000);
    expect(kept.keep('a', { bytes: 600, values: 1 })).to.equal(true);
    expect(kept.keep('b', { bytes: 10, values: 11 })).to.equal(false);
    expect(kept.keep('b', { bytes: 10, values: 10 })).to.equal(true);
    expect(kept.keep('c', { bytes: 1, values: 0 })).to.equal(false);
  });

  it('has room for what takes the place of another, and of what was forgotten or refused', () => {
    const kept = new KeptDocuments(1_000);
    kept.keep('a', { bytes: 900, values: 1 });
    expect(kept.keep('a', { bytes: 1_000, values: 1 })).to.equal(true);
    kept.forget('a');
    kept.forget('a');
    expect(kept.keep('b', { bytes: 1_000, values: 1 })).to.equal(true);
    expect(kept.keep('b', { bytes: 1_001, values: 1 })).to.equal(false);
    expect(kept.keep('c', { bytes: 1_000, values: 1 })).to.equal(true);
  });
});
