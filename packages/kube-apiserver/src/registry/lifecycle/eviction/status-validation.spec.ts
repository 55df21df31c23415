import { builtinRelease } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { Eviction, EvictionStatus } from '../lifecycle-types.ts';
import { inOrder } from './responder-order.ts';
import { validateEvictionStatus } from './status-validation.ts';

const now = '2026-11-27T12:00:00Z';
const nowMs = Date.parse(now);
const minutesAgo = (minutes: number): string => new Date(nowMs - minutes * 60_000).toISOString();
const first = 'a.example.com/first';
const own = 'imperative-eviction.k8s.io/evictor';

function eviction(status: EvictionStatus): Eviction {
  return { apiVersion: 'lifecycle.k8s.io/v1alpha1', kind: 'Eviction', metadata: { name: 'e' }, status };
}
const told = (status: EvictionStatus, before: EvictionStatus = {}): string[] =>
  validateEvictionStatus(eviction(status), eviction(before), { nowMs, release: builtinRelease }).map(String);

/** Two responders, as they are after the first sync. */
const begun: EvictionStatus = {
  targetResponders: [
    { name: first, priority: 10_000, state: 'Active' },
    { name: own, priority: 100, state: 'Inactive' },
  ],
  responders: [{ name: first, startTime: now }, { name: own }],
};
const withStates = (one: string, two: string, responder: object = {}): EvictionStatus => ({
  targetResponders: [
    { name: first, priority: 10_000, state: one },
    { name: own, priority: 100, state: two },
  ],
  responders: [
    { name: first, startTime: now, ...responder },
    { name: own, ...(two === 'Active' ? { startTime: now } : {}) },
  ],
});

describe('the status of an eviction', () => {
  it('begins with the responder of the highest priority', () => {
    expect(told(begun)).to.deep.equal([]);
    expect(told(withStates('Inactive', 'Active'))).to.deep.equal([
      'status.targetResponders[0].state: Invalid value: "Inactive": must be one of: Active, because this ' +
        'responder is next in line',
      'status.targetResponders[1].state: Invalid value: "Active": must be one of: Inactive, because the previously ' +
        'active has not finished processing',
    ]);
  });

  it('goes on to the next one when the first has finished', () => {
    const done = { completionTime: now };
    const finished = withStates('Active', 'Inactive', done);
    expect(told(finished, begun)).to.deep.equal([]);
    expect(told(withStates('Completed', 'Active', done), finished)).to.deep.equal([]);
    expect(told(withStates('Completed', 'Inactive', done), finished)).to.deep.equal([
      'status.targetResponders[1].state: Invalid value: "Inactive": must be one of: Active, because this ' +
        'responder is next in line',
    ]);
  });

  it('takes no turn from a responder that is at work', () => {
    expect(told(withStates('Interrupted', 'Active'), begun)).to.deep.equal([
      'status.targetResponders[0].state: Forbidden: must stay Active because the responder is in progress and it ' +
        'should report status.responders.heartbeatTime or status.responders.completionTime',
    ]);
  });

  it('keeps responders, and what is over', () => {
    expect(told({ ...begun, targetResponders: begun.targetResponders!.slice(0, 1) }, begun)[0]).to.match(
      /must preserve the same length and the same keys$/,
    );
    const evicted = [
      { type: 'TargetEvicted', status: 'True', reason: 'PodDeleted', message: '', lastTransitionTime: now },
    ] as const;
    expect(
      told({ conditions: [] }, { conditions: evicted }).map((text) => text.replace(/value: .*: T/, 'value: T')),
    ).to.deep.equal(['status.conditions: Invalid value: TargetEvicted condition status cannot be reverted']);
  });

  it('has times of now', () => {
    const times = (responder: object): string[] => told(withStates('Active', 'Inactive', responder), begun);
    expect(times({ heartbeatTime: now })).to.deep.equal([]);
    expect(times({ heartbeatTime: minutesAgo(-2) })).to.deep.equal([
      `status.responders[0].heartbeatTime: Invalid value: "${minutesAgo(-2)}": must be set to the present time`,
    ]);
    expect(times({ heartbeatTime: minutesAgo(1) })).to.deep.equal([
      `status.responders[0].heartbeatTime: Invalid value: "${minutesAgo(1)}": must occur after ` +
        'status.responders[0].startTime',
    ]);
    expect(times({ expectedCompletionTime: minutesAgo(-60 * 24 * 365 * 11) })).to.have.lengthOf(1);
  });

  it('keeps priorities of Kubernetes for Kubernetes', () => {
    const status = (name: string, priority: number): EvictionStatus => ({
      targetResponders: [{ name, priority, state: 'Active' }],
      responders: [{ name, startTime: now }],
    });
    expect(told(status(first, 999))).to.deep.equal([
      'status.targetResponders[0].priority: Invalid value: 999: priorities 0-999 are reserved for responders with ' +
        '*.k8s.io suffix',
    ]);
    expect(told(status(own, 99))).to.deep.equal([
      'status.targetResponders[0].priority: Invalid value: 99: core k8s responder is expected to have priority: 100',
    ]);
  });
});

describe('the order of responders', () => {
  it('is by priority, then by domain from its top, then by key', () => {
    const names = ['x.b.com/k', 'b.com/z', 'b.com/a', 'a.org/k'];
    expect(
      inOrder([...names.map((name) => ({ name, priority: 1 })), { name: 'z.z/z', priority: 2 }]).map(
        ({ name }) => name,
      ),
    ).to.deep.equal(['z.z/z', 'b.com/a', 'b.com/z', 'x.b.com/k', 'a.org/k']);
  });
});
