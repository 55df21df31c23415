import { expect } from 'chai';
import { seededRandomness } from './seeded-randomness.ts';

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('seededRandomness', () => {
  const draws = (seed: number, of = 'server'): unknown => {
    const { newUID, random, repeatable } = seededRandomness(seed, of);
    return [random(), random(), newUID(), newUID(), repeatable!.of('names').random(), repeatable!.uidOf('/pods/a')];
  };

  it('draws the same for the same seed, and other things for another seed or another process', () => {
    expect(draws(7)).to.deep.equal(draws(7));
    expect(draws(7)).to.not.deep.equal(draws(8));
    expect(draws(7)).to.not.deep.equal(draws(7, 'another'));
  });

  it('draws numbers from 0 to below 1, each another, and uids of version 4', () => {
    const { newUID, random } = seededRandomness(1, '');
    const numbers = Array.from({ length: 1_000 }, random);
    expect(numbers.every((number) => number >= 0 && number < 1)).to.equal(true);
    expect(new Set(numbers).size).to.equal(1_000);
    expect(numbers.reduce((sum, number) => sum + number, 0) / 1_000).to.be.within(0.45, 0.55);
    expect(newUID()).to.match(uuid4);
    expect(newUID()).to.not.equal(newUID());
  });

  it('is not shifted by what is drawn for something else', () => {
    const one = seededRandomness(3, '').repeatable!;
    const other = seededRandomness(3, '').repeatable!;
    other.of('else').random();
    other.of('else').random();
    expect(one.of('names').random()).to.equal(other.of('names').random());
    expect(one.of('names').random()).to.equal(other.of('names').random());
  });

  it('draws anew for each occurrence of a purpose', () => {
    const { repeatable } = seededRandomness(3, '');
    expect(repeatable!.of('names').random()).to.not.equal(repeatable!.of('names').random());
  });

  it('gives a key the same uid until an object was created with it', () => {
    const { repeatable } = seededRandomness(3, '');
    const first = repeatable!.uidOf('/pods/a');
    expect(repeatable!.uidOf('/pods/a')).to.equal(first);
    repeatable!.created('/pods/a');
    expect(repeatable!.uidOf('/pods/a')).to.not.equal(first);
    expect(repeatable!.uidOf('/pods/b')).to.not.equal(first);
  });
});
