import { expect } from 'chai';
import { CommonPart, commonly, Commons } from './commons.ts';

describe('Commons', () => {
  const part = new CommonPart<string[]>('a list');

  it('keeps what the first has made, for all others', () => {
    const commons = new Commons();
    expect(commons.get(part)).to.equal(undefined);
    const made = commonly(commons, part, () => ['first']);
    expect(commonly(commons, part, () => ['second'])).to.equal(made);
    expect(commons.get(part)).to.equal(made);
    expect(new Commons().get(part)).to.equal(undefined);
  });

  it('lets those who have nothing in common make their own', () => {
    const make = (): string[] => ['own'];
    expect(commonly(undefined, part, make)).to.not.equal(commonly(undefined, part, make));
  });
});
