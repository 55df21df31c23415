import { expect } from 'chai';
import { effectiveVersions } from './component-versions.ts';
import { effectiveGates, FeatureGates, gatesProblem, knownGates } from './feature-gates.ts';

const gates = (given: Readonly<Record<string, string>>, emulated?: string): FeatureGates =>
  new FeatureGates(
    new Map(Object.entries(given)),
    effectiveVersions({
      'kubernetes-version': '1.36',
      ...(emulated === undefined ? {} : { 'emulated-version': [emulated] }),
    }),
  );

describe('feature gates', () => {
  const rows: readonly (readonly [given: Record<string, string>, enabled: boolean])[] = [
    [{}, false],
    [{ AllowUnsafeMalformedObjectDeletion: 'true' }, true],
    [{ AllAlpha: 'true' }, true],
    [{ AllBeta: 'true' }, false],
    [{ AllAlpha: 'true', AllowUnsafeMalformedObjectDeletion: 'false' }, false],
  ];
  for (const [given, enabled] of rows) {
    it(`is ${enabled} with ${JSON.stringify(given)}`, () => {
      expect(gates(given).enabled('AllowUnsafeMalformedObjectDeletion')).to.equal(enabled);
    });
  }

  it('leaves what is on by default on', () => {
    expect(gates({}).enabled('DetectCacheInconsistency')).to.equal(true);
    expect(gates({ AllBeta: 'false' }).enabled('DetectCacheInconsistency')).to.equal(false);
  });
});

describe('--feature-gates', () => {
  const rows: readonly (readonly [given: Record<string, string>, problem: string | undefined])[] = [
    [{ AllAlpha: 'true', WatchList: 'false' }, undefined],
    [{ 'kube:AllBeta': 'false' }, undefined],
    [{ Nope: 'true' }, 'unrecognized feature gate: Nope'],
    // Of 1.34 as 1.32.
    [{ BtreeWatchCache: 'false' }, undefined],
    [
      { LogarithmicScaleDown: 'false' },
      'cannot set feature gate LogarithmicScaleDown to false, feature is locked to true',
    ],
    [{ APIServerTracing: 'true' }, undefined],
    [{ WatchList: 'x' }, 'invalid value of WatchList=x, err: strconv.ParseBool: parsing "x": invalid syntax'],
    [{ 'wardle:Nope': 'true' }, 'component not registered: wardle'],
    [
      { 'kube:WatchList': 'true', AllAlpha: 'true' },
      'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
    ],
  ];
  for (const [given, problem] of rows) {
    it(`${problem === undefined ? 'takes' : 'refuses'} ${JSON.stringify(given)}`, () => {
      expect(gatesProblem(new Map(Object.entries(given)))).to.equal(problem);
    });
  }

  it('reads qualified names', () => {
    expect(gates({ 'kube:ComponentFlagz': 'false' }).enabled('ComponentFlagz')).to.equal(false);
  });

  it('knows every gate that something depends on', () => {
    const ofSomeRelease = ['1.36', '1.37'].flatMap((release) => [
      ...knownGates(effectiveVersions({ 'kubernetes-version': release })).keys(),
    ]);
    expect(effectiveGates.filter((name) => !ofSomeRelease.includes(name))).to.deep.equal([]);
  });

  it('warns of what changes nothing, and of what is going to go', () => {
    expect(gates({ OpenAPIEnums: 'false' }).warnings()).to.deep.equal([
      'feature gate OpenAPIEnums=false changes nothing in this server.',
    ]);
    expect(gates({ ComponentFlagz: 'false' }).warnings()).to.deep.equal([]);
    expect(gates({ APIServerTracing: 'true' }).warnings()).to.deep.equal([
      'setting GA feature gate APIServerTracing=true. It will be removed in a future release.',
    ]);
  });
});

describe('feature gates of an emulated release', () => {
  it('are on as they were there', () => {
    // Off until it was generally available (apiserver/pkg/features/kube_features.go, 1.36).
    const enabled = (emulated: string): boolean | undefined =>
      gates({}, emulated)
        .all()
        .find(({ name }) => name === 'MutatingAdmissionPolicy')?.enabled;
    expect(['1.33', '1.35', '1.36'].map(enabled)).to.deep.equal([false, false, true]);
  });

  it('are not shown before they came, and not to be set, in the words of kube-apiserver', () => {
    const names = gates({}, '1.34')
      .all()
      .map(({ name }) => name);
    expect(names).not.to.include('AtomicFIFO');
    expect(gates({ AtomicFIFO: 'true' }, '1.34').problem()).to.equal(
      'cannot set feature gate AtomicFIFO to true, feature is PreAlpha at emulated version 1.34, ' +
        'min compatibility version 1.33',
    );
    expect(gates({ AtomicFIFO: 'true' }).problem()).to.equal(undefined);
  });

  it('are not locked before they were', () => {
    expect(gates({ APIServerTracing: 'false' }, '1.33').problem()).to.equal(undefined);
    expect(gates({ APIServerTracing: 'false' }, '1.34').problem()).to.equal(
      'cannot set feature gate APIServerTracing to false, feature is locked to true',
    );
  });
});
