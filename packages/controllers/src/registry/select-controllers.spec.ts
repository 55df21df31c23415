import { expect } from 'chai';
import type { ControllerDescriptor } from '../controller/controller.ts';
import { allControllers } from './controllers.ts';
import { selectControllers } from './select-controllers.ts';

const controller = (name: string, more: Partial<ControllerDescriptor> = {}): ControllerDescriptor => ({
  name: `${name}-controller`,
  aliases: [name],
  onByDefault: true,
  group: 'lifecycle',
  serviceAccount: name,
  make: () => Promise.resolve(undefined),
  ...more,
});
const known = [controller('a'), controller('b', { onByDefault: false }), controller('c', { group: 'workloads' })];

describe('--controllers', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['all that are on by default', '*', ['a-controller', 'c-controller']],
    ['one by name', 'b-controller', ['b-controller']],
    ['one by an older name', 'b', ['b-controller']],
    ['all and one that is off', '*,b', ['a-controller', 'b-controller', 'c-controller']],
    ['all but one', '*,-a', ['c-controller']],
    ['the first mention counts', 'a,-a-controller,*', ['a-controller', 'c-controller']],
    ['a group, without what is off', 'lifecycle', ['a-controller']],
    ['a group and one more', 'lifecycle,c', ['a-controller', 'c-controller']],
    ['a group but one', 'lifecycle,-a', []],
    ['none', 'none', []],
  ];
  for (const [what, text, names] of rows)
    it(`${text}: ${what}`, () => {
      expect(selectControllers(text.split(','), known).map(({ name }) => name)).to.deep.equal(names);
    });

  it('refuses names that there are not, in the words of the reference', () => {
    expect(() => selectControllers(['*', '-nonsense'], known)).to.throw(
      RangeError,
      '"nonsense" is not in the list of known controllers',
    );
  });

  it('has every name once', () => {
    const names = allControllers().flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).to.equal(names.length);
  });
});
