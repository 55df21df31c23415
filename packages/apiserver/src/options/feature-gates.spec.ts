import { expect } from 'chai';
import { effectiveGates, featureEnabled, gatesProblem, gateWarnings, knownGates } from './feature-gates.ts';

describe('featureEnabled', () => {
  const rows: readonly (readonly [given: Record<string, string>, enabled: boolean])[] = [
    [{}, false],
    [{ AllowUnsafeMalformedObjectDeletion: 'true' }, true],
    [{ AllAlpha: 'true' }, true],
    [{ AllBeta: 'true' }, false],
    [{ AllAlpha: 'true', AllowUnsafeMalformedObjectDeletion: 'false' }, false],
  ];
  for (const [given, enabled] of rows) {
    it(`is ${enabled} with ${JSON.stringify(given)}`, () => {
      expect(featureEnabled(new Map(Object.entries(given)), 'AllowUnsafeMalformedObjectDeletion')).to.equal(enabled);
    });
  }

  it('leaves what is on by default on', () => {
    expect(featureEnabled(new Map(), 'DetectCacheInconsistency')).to.equal(true);
    expect(featureEnabled(new Map([['AllBeta', 'false']]), 'DetectCacheInconsistency')).to.equal(false);
  });
});

describe('--feature-gates', () => {
  const rows: readonly (readonly [given: Record<string, string>, problem: string | undefined])[] = [
    [{ AllAlpha: 'true', WatchList: 'false' }, undefined],
    [{ 'kube:AllBeta': 'false' }, undefined],
    [{ Nope: 'true' }, 'unrecognized feature gate: Nope'],
    [{ APIServerTracing: 'false' }, 'cannot set feature gate APIServerTracing to false, feature is locked to true'],
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
    expect(featureEnabled(new Map([['kube:ComponentFlagz', 'false']]), 'ComponentFlagz')).to.equal(false);
  });

  it('knows every gate that something depends on', () => {
    expect(effectiveGates.filter((name) => !knownGates.has(name))).to.deep.equal([]);
  });

  it('warns of what changes nothing, and of what is going to go', () => {
    expect(gateWarnings(new Map([['OpenAPIEnums', 'false']]))).to.deep.equal([
      'feature gate OpenAPIEnums=false changes nothing in this server.',
    ]);
    expect(gateWarnings(new Map([['ComponentFlagz', 'false']]))).to.deep.equal([]);
    expect(gateWarnings(new Map([['APIServerTracing', 'true']]))).to.deep.equal([
      'setting GA feature gate APIServerTracing=true. It will be removed in a future release.',
    ]);
  });
});
