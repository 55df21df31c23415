import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { missingNodes, neverScheduled, onLostNodes, shareOf, surplusEnded } from './doomed-pods.ts';

interface Parts {
  readonly phase?: string;
  readonly reason?: string;
  readonly created?: string;
  readonly node?: string;
  readonly deleted?: boolean;
}
const pod = (name: string, { created = '00:00', deleted = false, node, phase = 'Running', reason }: Parts = {}): Pod =>
  ({
    metadata: {
      name,
      creationTimestamp: `2026-01-01T${created}:00Z`,
      ...(deleted ? { deletionTimestamp: '2026-01-02T00:00:00Z' } : {}),
    },
    spec: node === undefined ? {} : { nodeName: node },
    status: { phase, ...(reason === undefined ? {} : { reason }) },
  }) as unknown as Pod;
const names = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata?.name ?? '');

describe('pods that are collected', () => {
  const ended = [
    pod('young', { phase: 'Succeeded', created: '02:00' }),
    pod('running'),
    pod('old', { phase: 'Failed', created: '01:00' }),
    pod('evicted', { phase: 'Failed', reason: 'Evicted', created: '03:00' }),
  ];
  for (const [threshold, gone] of [
    [0, []],
    [1, ['evicted', 'old']],
    [2, ['evicted']],
    [3, []],
  ] as const)
    it(`are ${gone.length} of 3 that ended, where ${threshold} may stay`, () =>
      expect(names(surplusEnded(ended, threshold))).to.deep.equal(gone));
  it('are those on nodes out of service, when they are to go', () => {
    const node = (ready: string, taint: string): Node =>
      ({
        spec: { taints: [{ key: taint, effect: 'NoExecute' }] },
        status: { conditions: [{ type: 'Ready', status: ready }] },
      }) as unknown as Node;
    const outOfService = 'node.kubernetes.io/out-of-service';
    const nodes = new Map([
      ['lost', node('Unknown', outOfService)],
      ['back', node('True', outOfService)],
      ['away', node('Unknown', 'node.kubernetes.io/unreachable')],
    ]);
    const pods = ['lost', 'back', 'away', 'none'].map((name) => pod(name, { node: name, deleted: true }));
    const stays = pod('stays', { node: 'lost' });
    expect(names(onLostNodes([...pods, stays], (name) => nodes.get(name)))).to.deep.equal(['lost']);
  });
  it('are those that never had a node, when they are to go', () => {
    const pods = [pod('a', { deleted: true }), pod('b', { deleted: true, node: 'n' }), pod('c')];
    expect(names(neverScheduled(pods))).to.deep.equal(['a']);
  });
  it('are on nodes that are not there', () =>
    expect([
      ...missingNodes([pod('a', { node: 'x' }), pod('b', { node: 'y' }), pod('c')], (name) => name === 'y'),
    ]).to.deep.equal(['x']));

  it('go so many at a time, namespaces in turns, and not always the same', () => {
    const of = (namespace: string, count: number): Pod[] =>
      Array.from({ length: count }, (_, i) => ({ metadata: { name: `${namespace}${i}`, namespace } }));
    const pods = [...of('a', 1_000), ...of('b', 2), ...of('c', 3)];
    expect(names(shareOf(pods, 8, () => 0))).to.deep.equal(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'c2']);
    expect(names(shareOf(pods, 8, () => 0.999))).to.deep.equal(['a999', 'b1', 'c2', 'a0', 'b0', 'c0', 'a1', 'c1']);
    expect(shareOf(pods, 2_000, () => 0)).to.equal(pods);
  });
});
