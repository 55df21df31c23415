import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import type { PeerCall } from '../peers/peer-call.ts';
import type { RequestInfo } from '../request/request-context.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { FaultRuleError, parseFaultRule, type FaultMatch } from './fault-rule.ts';
import { FaultSet } from './fault-set.ts';
import { requestOf as controlledRequest } from './testing/request-of.ts';

/** An update of a deployment. */
const requestOf = (info: Partial<RequestInfo> = {}, user = 'alice'): ServerRequestContext =>
  controlledRequest({ verb: 'update', apiGroup: 'apps', resource: 'deployments', ...info }, { user });
const effect = { kind: 'status', code: 500 } as const;

describe('faults that are set', () => {
  let nowMs: number;
  let faults: FaultSet;
  beforeEach(() => {
    nowMs = 1_000;
    faults = new FaultSet({ now: () => nowMs, setTimer: () => ({ cancel: () => undefined }) });
  });

  const status = { subresource: 'status' };
  const rows: readonly (readonly [match: FaultMatch, request: ServerRequestContext, fits: boolean])[] = [
    [{}, requestOf(), true],
    [{}, requestOf({ isResourceRequest: false }), false],
    [{ verbs: ['get', 'update'] }, requestOf(), true],
    [{ verbs: ['get'] }, requestOf(), false],
    [{ groups: [''] }, requestOf(), false],
    [{ groups: ['apps'] }, requestOf(), true],
    [{ resources: ['deployments'] }, requestOf(), true],
    [{ resources: ['deployments'] }, requestOf(status), false],
    [{ resources: ['deployments/status'] }, requestOf(status), true],
    [{ resources: ['deployments/*'] }, requestOf(status), true],
    [{ resources: ['deployments/*'] }, requestOf(), false],
    [{ resources: ['*/status'] }, requestOf(status), true],
    [{ resources: ['*'] }, requestOf(status), true],
    [{ names: ['we*'] }, requestOf(), true],
    [{ names: ['we'] }, requestOf(), false],
    [{ namespaces: ['kube-system'] }, requestOf(), false],
    [{ users: ['system:serviceaccount:*'] }, requestOf({}, 'system:serviceaccount:a:b'), true],
    [{ users: ['system:serviceaccount:*'] }, requestOf(), false],
    [{ userAgents: ['kubectl*'] }, requestOf(), true],
    [{ userAgents: ['manager*'] }, requestOf(), false],
  ];
  for (const [match, request, fits] of rows)
    it(`for ${JSON.stringify(match)} ${fits ? 'meet' : 'leave'} ${JSON.stringify(request.requestInfo)}`, () => {
      faults.add({ match, effect });
      expect(faults.take(request) !== undefined).to.equal(fits);
    });

  it('happen as often as was said, the first that fits before the second', () => {
    const first = faults.add({ match: {}, effect, count: 2 });
    const second = faults.add({ match: {}, effect });
    expect([1, 2, 3, 4].map(() => faults.take(requestOf())?.id)).to.deep.equal([
      first.id,
      first.id,
      second.id,
      second.id,
    ]);
    expect(faults.list().map(({ happened }) => happened)).to.deep.equal([2, 2]);
  });

  it('end when their time is over', () => {
    faults.add({ match: {}, effect, durationMs: 500 });
    nowMs += 499;
    expect(faults.take(requestOf())).to.not.equal(undefined);
    nowMs += 1;
    expect(faults.take(requestOf())).to.equal(undefined);
  });

  it('happen by chance about as often as was said, and the same for the same seed', () => {
    const round = (seed: number): string => {
      const { id } = faults.add({ match: {}, effect, probability: 0.3, seed });
      const marks = Array.from({ length: 1_000 }, () => (faults.take(requestOf()) === undefined ? '.' : 'x')).join('');
      faults.remove(id);
      return marks;
    };
    const first = round(1);
    expect(first.replaceAll('.', '').length).to.be.within(250, 350);
    expect(round(1)).to.equal(first);
    expect(round(2)).to.not.equal(first);
  });

  it('are conflicts for those who change or delete one object', () => {
    faults.add({ match: {}, effect: { kind: 'conflict' } });
    const meets = (info: Partial<RequestInfo>): boolean => faults.take(requestOf({ name: 'a', ...info })) !== undefined;
    expect(['update', 'patch', 'delete'].map((verb) => meets({ verb }))).to.deep.equal([true, true, true]);
    expect(['get', 'create', 'list', 'watch'].map((verb) => meets({ verb }))).to.deep.equal([
      false,
      false,
      false,
      false,
    ]);
    expect(meets({ verb: 'deletecollection', name: '' })).to.equal(false);
  });

  it('are gone when they were removed', () => {
    const { id } = faults.add({ match: {}, effect });
    expect(faults.remove(id)).to.equal(true);
    expect(faults.remove(id)).to.equal(false);
    expect(faults.take(requestOf())).to.equal(undefined);
  });
});

describe('a fault of the certificate', () => {
  const rule = { target: 'certificate', effect: { kind: 'chaos' } } as const;
  let clock: FakeClock;
  let told: boolean[];
  let faults: FaultSet;
  beforeEach(() => {
    clock = new FakeClock(1_000);
    told = [];
    faults = new FaultSet(clock, { certificateMeets: () => told.push(faults.certificateIsExpired) });
  });

  /** Whether it has expired in each of so many seconds. */
  async function seconds(count: number): Promise<string> {
    let seen = '';
    for (let i = 0; i < count; i++) {
      seen += faults.certificateIsExpired ? 'x' : '.';
      await clock.advance(1_000);
    }
    return seen;
  }

  it('is in windows of two seconds that a seed draws, as often as was said', async () => {
    const round = async (seed: number): Promise<string> => {
      const { id } = faults.add({ ...rule, probability: 0.3, seed });
      const seen = await seconds(1_000);
      faults.remove(id);
      return seen;
    };
    const first = await round(1);
    expect(first).to.match(/^(xx|\.\.)+$/);
    expect(first.replaceAll('.', '').length).to.be.within(200, 400);
    expect(await round(1)).to.equal(first);
    expect(await round(2)).to.not.equal(first);
  });

  it('is told when it begins and when it is over, and counts its windows', async () => {
    faults.add({ ...rule, probability: 0.3, seed: 1 });
    const seen = await seconds(200);
    expect(told).to.have.length.greaterThan(20);
    expect(told.every((expired, i) => expired === (told[0] === (i % 2 === 0)))).to.equal(true);
    expect(faults.list().map(({ happened }) => happened)).to.deep.equal([seen.match(/x+/g)?.length]);
  });

  it('lasts all its time where nothing is left to chance', async () => {
    faults.add({ ...rule, afterMs: 2_500, durationMs: 5_000 });
    expect(await seconds(10)).to.equal('...xxxxx..');
    expect(told).to.deep.equal([true, false]);
  });

  it('is over when it is removed', () => {
    const { id } = faults.add(rule);
    faults.remove(id);
    expect(told).to.deep.equal([true, false]);
  });
});

describe('the rule of a fault', () => {
  const refused: readonly (readonly [rule: unknown, error: string])[] = [
    [[], 'the rule must be an object'],
    [{ effect, when: 1 }, 'the rule has no member "when"'],
    [
      { effect, target: 'moon' },
      'target must be one of request, watch, certificate, store, webhook, apiservice, delegate',
    ],
    [
      { effect, target: 'store' },
      'effect.kind of a store must be one of delay, refuse, silence, readOnly, loseAnswer, chaos',
    ],
    [
      { effect: { kind: 'chaos', among: ['readOnly'] }, target: 'delegate' },
      'effect.among must be a list of delay, refuse, silence, status, garble',
    ],
    [{ effect: { kind: 'status', code: 200 }, target: 'webhook' }, 'effect.code must be from 400 to 599'],
    [{ effect: { kind: 'refuse' }, target: 'webhook', match: { users: ['a'] } }, 'match has no member "users"'],
    [
      { effect: { kind: 'explode' }, target: 'watch' },
      'effect.kind of a watch must be cut, expired, delay, withoutBookmarks or chaos',
    ],
    [{ effect, match: { verb: ['get'] } }, 'match has no member "verb"'],
    [{ effect, match: { verbs: 'get' } }, 'match.verbs must be a list of texts'],
    [{ effect, probability: 2 }, 'probability must not be above 1'],
    [{ effect, count: -1 }, 'count must be a number that is not below 0'],
    [{}, 'effect must be an object'],
    [{ effect: { kind: 'status', code: 418 } }, 'effect.code must be one of 401, 409, 410, 429, 500, 503, 504'],
    [{ effect: { kind: 'delay' } }, 'effect.milliseconds must be a number that is not below 0'],
    [{ effect: { kind: 'cut', when: 'now' } }, 'effect.when must be before, within or after'],
    [{ effect: { kind: 'cut' }, target: 'certificate' }, 'effect.kind of the certificate must be expired or chaos'],
    [
      { effect: { kind: 'chaos' }, target: 'certificate', count: 1 },
      'a fault of the certificate has no member "count"',
    ],
    [{ effect: { kind: 'chaos' }, target: 'certificate', probability: 2 }, 'probability must not be above 1'],
    [{ effect: { kind: 'explode' } }, 'effect.kind must be status, delay, cut, timeout, stale, conflict or chaos'],
  ];
  for (const [rule, error] of refused)
    it(`is refused: ${error}`, () => {
      expect(() => parseFaultRule(rule)).to.throw(FaultRuleError, error);
    });
  it('may leave everything but the effect out', () => {
    expect(parseFaultRule({ effect })).to.deep.equal({ match: {}, effect });
  });
});

describe('faults of what servers call', () => {
  let nowMs: number;
  let faults: FaultSet;
  beforeEach(() => {
    nowMs = 1_000;
    faults = new FaultSet({ now: () => nowMs, setTimer: () => ({ cancel: () => undefined }) });
  });

  const webhook = (name = 'sees.all'): PeerCall => ({ peer: 'webhook', name, verb: 'call' });
  const store = (verb: 'read' | 'write' | 'watch'): PeerCall => ({ peer: 'store', name: '/registry/pods/a/b', verb });

  it('are for calls of their kind, by name, as often as was said', () => {
    faults.add({ target: 'webhook', match: { names: ['sees*'] }, effect: { kind: 'refuse' }, count: 1 });
    expect([webhook('other'), store('read'), webhook(), webhook()].map((call) => faults.takePeer(call)?.kind)).to.eql([
      undefined,
      undefined,
      'refuse',
      undefined,
    ]);
  });

  it('meet writes alone where they are about writes, and no watch where they are about answers', () => {
    faults.add({ target: 'store', match: {}, effect: { kind: 'readOnly' } });
    faults.add({ target: 'store', match: {}, effect: { kind: 'delay', milliseconds: 1 } });
    expect((['read', 'write', 'watch'] as const).map((verb) => faults.takePeer(store(verb))?.kind)).to.eql([
      'delay',
      'readOnly',
      undefined,
    ]);
  });

  it('are drawn of those that a call could meet, and the same by the same seed', () => {
    const round = (seed: number): readonly (string | undefined)[] => {
      const { id } = faults.add({ target: 'store', match: {}, effect: { kind: 'chaos' }, probability: 0.5, seed });
      const verbs = ['read', 'write', 'watch'] as const;
      const met = Array.from({ length: 300 }, (_, i) => faults.takePeer(store(verbs[i % 3] ?? 'read'))?.kind);
      faults.remove(id);
      return met;
    };
    const first = round(1);
    const kinds = (at: number): ReadonlySet<string | undefined> => new Set(first.filter((_, i) => i % 3 === at));
    expect([0, 1, 2].map(kinds)).to.deep.equal([
      new Set([undefined, 'delay', 'refuse']),
      new Set([undefined, 'delay', 'loseAnswer', 'readOnly', 'refuse']),
      new Set([undefined, 'refuse']),
    ]);
    expect(first.filter((kind) => kind !== undefined)).to.have.length.within(100, 200);
    expect(round(1)).to.deep.equal(first);
    expect(round(2)).to.not.deep.equal(first);
  });

  it('do not happen to requests', () => {
    faults.add({ target: 'webhook', match: {}, effect: { kind: 'refuse' } });
    expect(faults.take(requestOf())).to.equal(undefined);
  });

  it('are told when they begin and end', () => {
    let told = 0;
    const set = new FaultSet(
      { now: () => nowMs, setTimer: () => ({ cancel: () => undefined }) },
      { peersMeet: () => void told++ },
    );
    const { id } = set.add({ target: 'store', match: {}, effect: { kind: 'refuse' } });
    expect([told, [...set.peerKinds()]]).to.eql([1, ['store']]);
    set.remove(id);
    expect([told, [...set.peerKinds()]]).to.eql([2, []]);
  });

  it('begin and end by the clock', () => {
    faults.add({ target: 'store', match: {}, effect: { kind: 'refuse' }, afterMs: 10, durationMs: 10 });
    const kinds = [1_000, 1_010, 1_020].map((now) => {
      nowMs = now;
      return faults.peerKinds().size;
    });
    expect(kinds).to.eql([0, 1, 0]);
  });
});
