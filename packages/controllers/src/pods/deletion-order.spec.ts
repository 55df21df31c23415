import { expect } from 'chai';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { inDeletionOrder } from './deletion-order.ts';

const nowMs = Date.parse('2026-01-01T12:00:00Z');

interface Parts {
  readonly node?: string;
  readonly phase?: string;
  readonly ready?: string;
  readonly cost?: string;
  readonly restarts?: number;
  readonly created?: string;
}
const pod = (name: string, { node = 'n', phase = 'Running', ready, cost, restarts = 0, created }: Parts = {}): Pod =>
  ({
    metadata: {
      name,
      uid: name,
      creationTimestamp: created ?? '2026-01-01T00:00:00Z',
      ...(cost === undefined ? {} : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: { nodeName: node, containers: [] },
    status: {
      phase,
      ...(ready === undefined ? {} : { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ready }] }),
      containerStatuses: [{ name: 'c', restartCount: restarts }],
    },
  }) as unknown as Pod;

describe('pods that a controller gives up', () => {
  const long = '2026-01-01T00:00:00Z';
  const cases: readonly (readonly [rule: string, first: Pod, second: Pod])[] = [
    ['without a node before those on one', pod('b', { node: '' }), pod('a', { ready: long })],
    ['pending before running', pod('b', { phase: 'Pending' }), pod('a')],
    ['unready before ready', pod('b'), pod('a', { ready: long })],
    ['cheap before dear', pod('b', { ready: long, cost: '-5' }), pod('a', { ready: long, cost: '10' })],
    ['on crowded nodes before others', pod('b', { ready: long, node: 'full' }), pod('a', { ready: long })],
    ['recently ready before long ready', pod('b', { ready: '2026-01-01T11:59:00Z' }), pod('a', { ready: long })],
    ['often restarted before others', pod('b', { ready: long, restarts: 3 }), pod('a', { ready: long })],
    ['young before old', pod('b', { ready: long, created: '2026-01-01T11:59:50Z' }), pod('a', { ready: long })],
    ['of about the same age by uid', pod('a', { ready: '2026-01-01T00:00:01Z' }), pod('b', { ready: long })],
  ];
  for (const [rule, first, second] of cases)
    it(`go ${rule}`, () => {
      const options = {
        nowMs,
        podsOnNode: new Map([
          ['full', 2],
          ['n', 1],
        ]),
      };
      expect(inDeletionOrder([second, first], options)).to.deep.equal([first, second]);
      expect(inDeletionOrder([first, second], options)).to.deep.equal([first, second]);
    });
  it('have a cost only where it is a number of 32 bits', () => {
    const options = { nowMs, podsOnNode: new Map<string, number>() };
    const [a, b] = [pod('a', { ready: long }), pod('b', { ready: long, cost: '-007' })];
    expect(inDeletionOrder([a, b], options)).to.deep.equal([a, b]);
  });
});
