import { expect } from 'chai';
import { mallocEnvironment } from './malloc-environment.ts';

describe('mallocEnvironment', () => {
  it('has the memory of all threads come from one place', () => {
    expect(mallocEnvironment({})).to.deep.equal({ MALLOC_ARENA_MAX: '1' });
  });

  it('leaves to the user what the user has said', () => {
    expect(mallocEnvironment({ MALLOC_ARENA_MAX: '4' })).to.deep.equal({});
  });
});
