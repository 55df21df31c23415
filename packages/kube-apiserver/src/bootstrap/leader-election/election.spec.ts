import { expect } from 'chai';
import { formatMicroTime } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import type { LeaseCandidate } from '../../registry/coordination/leasecandidate/lease-candidate.ts';
import { electedLease, newLease } from './elected-lease.ts';
import { electionStep, isCandidateExpired } from './election.ts';

const nowMs = Date.parse('2026-01-02T03:04:05Z');
const ago = (seconds: number): string => formatMicroTime(nowMs - seconds * 1000);

interface Differences {
  readonly emulation?: string;
  readonly binary?: string;
  readonly strategy?: string;
  readonly renewed?: number;
  readonly asked?: number;
  readonly created?: string;
}

function candidate(name: string, differences: Differences = {}): LeaseCandidate {
  const { asked, binary = '1.36.0', created = '2026-01-01T00:00:00Z', renewed = 0 } = differences;
  const { emulation = '1.36.0', strategy = 'OldestEmulationVersion' } = differences;
  return {
    metadata: { name, namespace: 'default', creationTimestamp: created },
    spec: {
      leaseName: 'l',
      binaryVersion: binary,
      emulationVersion: emulation,
      strategy,
      renewTime: ago(renewed),
      ...(asked === undefined ? {} : { pingTime: ago(asked) }),
    },
  };
}

function lease(holderIdentity: string, renewed = 0): Lease {
  return {
    metadata: { name: 'l', namespace: 'default' },
    spec: { holderIdentity, leaseDurationSeconds: 15, strategy: 'OldestEmulationVersion', renewTime: ago(renewed) },
  };
}

/** What is done, in a word or two. */
function told(current: Lease | undefined, candidates: readonly LeaseCandidate[]): string {
  const step = electionStep(current, candidates, nowMs);
  switch (step.kind) {
    case 'elect':
      return `elect ${step.holder ?? 'nobody'} by ${step.strategy}`;
    case 'asking':
      return ['ask', ...step.ask.map(({ metadata }) => metadata?.name)].join(' ');
    case 'failed':
      return step.reason;
    case 'settled':
      return step.kind;
  }
}

describe('coordinated leader election', () => {
  const oldest = 'by OldestEmulationVersion';
  const own = { strategy: 'example.com/own' };
  const rows: readonly (readonly [what: string, Lease | undefined, readonly LeaseCandidate[], expected: string])[] = [
    ['one who is there', undefined, [candidate('a')], `elect a ${oldest}`],
    ['an older emulation', undefined, [candidate('a'), candidate('b', { emulation: '1.35.0' })], `elect b ${oldest}`],
    ['an older binary', undefined, [candidate('a', { binary: '1.37.0' }), candidate('b')], `elect b ${oldest}`],
    [
      'the one who came first',
      undefined,
      [candidate('a'), candidate('b', { created: '2025-01-01T00:00:00Z' })],
      `elect b ${oldest}`,
    ],
    [
      'a better one than the leader',
      lease('a'),
      [candidate('a'), candidate('b', { emulation: '1.35.0' })],
      `elect b ${oldest}`,
    ],
    ['a leader that is the best', lease('a', 10), [candidate('a', { renewed: 60 })], 'settled'],
    ['a lease that has expired', lease('a', 16), [candidate('a')], `elect a ${oldest}`],
    ['a lease without a holder', lease(''), [candidate('a')], `elect a ${oldest}`],
    ['somebody long silent', undefined, [candidate('a'), candidate('b', { renewed: 60 })], 'ask b'],
    ['somebody silent for a quarter of an hour', lease('a'), [candidate('a', { renewed: 901 })], 'ask a'],
    ['somebody who may still answer', undefined, [candidate('a', { renewed: 60, asked: 3 })], 'ask'],
    ['nobody who answers', undefined, [candidate('a', { renewed: 60, asked: 6 })], 'no available candidates'],
    [
      'who answers, without those who do not',
      undefined,
      [candidate('a'), candidate('b', { emulation: '1.35.0', renewed: 60, asked: 6 })],
      `elect a ${oldest}`,
    ],
    ['who answered an earlier question', undefined, [candidate('a', { renewed: 60, asked: 61 })], 'ask a'],
    ['a strategy of others', undefined, [candidate('a', own)], 'elect nobody by example.com/own'],
    ['a strategy of others and a leader', lease('z'), [candidate('a', own)], 'settled'],
    [
      'the strategy of the newest binary',
      undefined,
      [candidate('a', { ...own, binary: '1.37.0' }), candidate('b')],
      'elect nobody by example.com/own',
    ],
    [
      'strategies that differ',
      lease('a'),
      [candidate('a'), candidate('b', own)],
      'candidates "a", "b" at same binary version but received differing strategies OldestEmulationVersion, ' +
        'example.com/own',
    ],
  ];
  for (const [what, current, candidates, expected] of rows) {
    it(`${expected}: ${what}`, () => {
      expect(told(current, candidates)).to.equal(expected);
    });
  }

  it('forgets candidates after half an hour', () => {
    expect([1800, 1801].map((renewed) => isCandidateExpired(candidate('a', { renewed }), nowMs))).to.deep.equal([
      false,
      true,
    ]);
  });
});

describe('a lease after an election', () => {
  const election = { strategy: 'OldestEmulationVersion', holder: 'b' };
  const at = { namespace: 'default', name: 'l', nowMs };

  it('is made for who was elected', () => {
    expect(newLease(election, at).spec).to.deep.equal({
      strategy: 'OldestEmulationVersion',
      leaseDurationSeconds: 5,
      renewTime: ago(0),
      holderIdentity: 'b',
    });
  });
  it('is made without a holder where others choose', () => {
    expect(newLease({ ...election, holder: undefined }, at).spec).to.not.have.property('holderIdentity');
  });
  it('asks its holder to make way', () => {
    expect(electedLease(lease('a'), election, nowMs)?.spec).to.include({ holderIdentity: 'a', preferredHolder: 'b' });
  });
  it('goes to who was elected when nobody has it', () => {
    expect(electedLease(lease('', 60), election, nowMs)?.spec).to.include({ holderIdentity: 'b', renewTime: ago(0) });
  });
  it('goes to who was elected when it has expired', () => {
    const expired = { ...lease('a', 60).spec, preferredHolder: 'b', acquireTime: ago(90) };
    const spec = electedLease({ ...lease('a'), spec: expired }, election, nowMs)?.spec;
    expect(spec).to.include({ holderIdentity: 'b', leaseDurationSeconds: 5 });
    expect(spec).to.not.have.any.keys('acquireTime', 'preferredHolder');
  });
  it('is left alone when it says so already', () => {
    expect([
      electedLease(lease('b'), election, nowMs),
      electedLease({ ...lease('a'), spec: { ...lease('a').spec, preferredHolder: 'b' } }, election, nowMs),
    ]).to.deep.equal([undefined, undefined]);
  });
});
