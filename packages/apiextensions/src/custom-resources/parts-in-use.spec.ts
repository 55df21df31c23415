import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { PartsInUse } from './parts-in-use.ts';

describe('PartsInUse', () => {
  const setUp = (kept: number): { parts: PartsInUse; released: string[]; use: (...names: string[]) => void } => {
    const parts = new PartsInUse({ clock: new FakeClock(), kept, periodMs: 60_000 });
    const released: string[] = [];
    const byName = new Map<string, { release: () => void }>();
    const part = (name: string): { release: () => void } => {
      let known = byName.get(name);
      if (known === undefined)
        byName.set(
          name,
          (known = {
            release: () => {
              released.push(name);
            },
          }),
        );
      return known;
    };
    after(() => {
      parts.stop();
    });
    return {
      parts,
      released,
      use: (...names) => {
        for (const name of names) parts.use(part(name));
      },
    };
  };

  it('releases what was not used for a whole period', () => {
    const { parts, released, use } = setUp(0);
    use('a', 'b');
    parts.sweep();
    expect(released).to.deep.equal([]);
    use('b', 'b');
    parts.sweep();
    expect(released).to.deep.equal(['a']);
    parts.sweep();
    expect(released).to.deep.equal(['a', 'b']);
    use('a');
    parts.sweep();
    parts.sweep();
    parts.sweep();
    expect(released).to.deep.equal(['a', 'b', 'a']);
  });

  it('keeps those that were used last, while there are few', () => {
    const { parts, released, use } = setUp(2);
    use('a', 'b');
    for (let i = 0; i < 3; i++) parts.sweep();
    expect(released).to.deep.equal([]);
    use('a');
    parts.sweep();
    use('c');
    parts.sweep();
    expect(released).to.deep.equal(['b']);
  });

  it('forgets', () => {
    const { parts, released } = setUp(0);
    const part = {
      release: (): void => {
        released.push('x');
      },
    };
    parts.use(part);
    parts.forget(part);
    parts.sweep();
    parts.use(part);
    parts.sweep();
    parts.forget(part);
    parts.sweep();
    expect(released).to.deep.equal([]);
  });
});
