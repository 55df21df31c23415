import { expect } from 'chai';
import { effectiveVersions, versionsProblem } from './component-versions.ts';

describe('values of --emulated-version and --min-compatibility-version', () => {
  const rows: readonly (readonly [values: string[], problem: string | undefined])[] = [
    [[], undefined],
    [['1.36'], undefined],
    [['kube=1.36'], undefined],
    [['v1.34'], undefined],
    [['1.34.0'], undefined],
    [['wardle=1.2'], 'component not registered: wardle'],
    [['1.36.2'], 'patch version not allowed, got: kube=1.36.2'],
    [['foo'], 'could not parse "foo" as version'],
    [['1'], 'illegal version string "1"'],
    [['1.35', '1.36'], 'duplicate version flag, kube=1.35 and kube=1.36'],
  ];
  for (const [values, problem] of rows) {
    it(`${problem === undefined ? 'are' : 'are not'} ${JSON.stringify(values)}`, () => {
      expect(versionsProblem(values)).to.equal(problem);
    });
  }
});

describe('the versions of a server', () => {
  const of = (emulated?: string, minCompatible?: string): ReturnType<typeof effectiveVersions> =>
    effectiveVersions({
      'kubernetes-version': '1.36',
      ...(emulated === undefined ? {} : { 'emulated-version': [emulated] }),
      ...(minCompatible === undefined ? {} : { 'min-compatibility-version': [minCompatible] }),
    });

  it('are its own, and components of the release before', () => {
    expect(of()).to.deep.equal({ release: '1.36', emulated: '1.36', minCompatible: '1.35' });
  });

  it('go with the emulated one, down to the oldest that there is', () => {
    expect(of('1.35')).to.deep.equal({ release: '1.36', emulated: '1.35', minCompatible: '1.34' });
    expect(of('kube=1.33')).to.deep.equal({ release: '1.36', emulated: '1.33', minCompatible: '1.33' });
    expect(of('1.36', 'kube=1.33')).to.deep.equal({ release: '1.36', emulated: '1.36', minCompatible: '1.33' });
  });

  it('are refused out of bounds, in the words of kube-apiserver 1.36.2', () => {
    expect(() => of('1.20')).to.throw('--emulated-version: emulation version 1.20 is not between [1.33, 1.36.0]');
    expect(() => of('1.38')).to.throw('--emulated-version: emulation version 1.38 is not between [1.33, 1.36.0]');
    expect(() => of('1.34', '1.35')).to.throw(
      '--min-compatibility-version: minCompatibilityVersion version 1.35 is not between [1.33, 1.34]',
    );
  });
});
