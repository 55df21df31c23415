import { expect } from 'chai';
import { compatibilityProblem, emulationProblem, minCompatibility } from './component-versions.ts';

describe('versions of components', () => {
  const rows: readonly (readonly [
    values: string[],
    emulation: string | undefined,
    compatibility: string | undefined,
  ])[] = [
    [[], undefined, undefined],
    [['1.36'], undefined, undefined],
    [['kube=1.36'], undefined, undefined],
    [['1.34'], 'not supported: only the behaviour of 1.36 is built', undefined],
    [
      ['1.20'],
      'EmulationVersion 1.20 is not between [1.33, 1.36]',
      'minCompatibilityVersion 1.20 is not between [1.33, 1.36]',
    ],
    [['wardle=1.2'], 'component not registered: wardle', 'component not registered: wardle'],
    [['1.36.2'], 'patch version not allowed, got: kube=1.36.2', 'patch version not allowed, got: kube=1.36.2'],
  ];
  for (const [values, emulation, compatibility] of rows) {
    it(`judges ${JSON.stringify(values)}`, () => {
      expect(emulationProblem(values)).to.equal(emulation);
      expect(compatibilityProblem(values)).to.equal(compatibility);
    });
  }

  it('goes together with the release before unless told otherwise', () => {
    expect(minCompatibility([])).to.equal('1.35');
    expect(minCompatibility(['kube=1.33'])).to.equal('1.33');
  });
});
