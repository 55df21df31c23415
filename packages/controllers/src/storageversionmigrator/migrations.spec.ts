import { expect } from 'chai';
import { nextOf, running } from './migrations.ts';
import type { StorageVersionMigration } from './migrations.ts';

const migration = (name: string, created: number, ...types: readonly string[]): StorageVersionMigration => ({
  metadata: { name, creationTimestamp: `2026-01-01T00:00:0${created}Z` },
  status: {
    conditions: types.map((type) => ({ type, status: 'True', reason: '', message: '', lastTransitionTime: '' })),
  },
});

describe('storage version migrations', () => {
  const names = (...all: readonly StorageVersionMigration[]): readonly (string | undefined)[] => {
    const { ended, next } = nextOf(all);
    return [next?.metadata?.name, ...ended.map(({ metadata }) => metadata?.name)];
  };
  it('of a resource begin with the oldest, then by name', () => {
    expect(names(migration('c', 2), migration('b', 1), migration('a', 1))).to.deep.equal(['a']);
  });
  it('wait for the one that runs', () => {
    expect(names(migration('a', 1, 'Running'), migration('b', 2))).to.deep.equal([undefined]);
  });
  it('go on when it has ended', () => {
    expect(names(migration('a', 1, 'Running', 'Failed'), migration('b', 2))).to.deep.equal(['b', 'a']);
  });
  it('are not begun again', () => {
    expect(names(migration('a', 1, 'Succeeded'))).to.deep.equal([undefined]);
  });
  for (const [progress, message] of [
    [{ left: 0, all: 0 }, 'The migration is running'],
    [{ left: 2, all: 5 }, 'The migration is running, 2/5 objects not yet migrated'],
    [{ left: 0, all: 5 }, 'The migration is running, 5 objects verified migrated'],
    [
      { left: 2, all: 5, obstacle: 'no' },
      'The migration is running, 2/5 objects not yet migrated; transient error: no',
    ],
  ] as const)
    it(`say: ${message}`, () => expect(running([], 0, progress)[0]?.message).to.equal(message));
});
