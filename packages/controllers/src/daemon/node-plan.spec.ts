import { FakeClock } from '@kubechain/apimachinery/testing';
import type { DaemonSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { FailedPodBackOff } from './failed-pod-back-off.ts';
import { countedStatus, planNode, planUpdate, updateLimits, type DaemonNode } from './node-plan.ts';
import { podTemplate, targetNode, wishFor } from './should-run.ts';

const nowMs = Date.parse('2026-01-01T00:01:00Z');
const options = { hash: 'new', nowMs };
const setWith = (rollingUpdate: object, template: object = { containers: [] }): DaemonSet =>
  ({
    metadata: { name: 'd' },
    spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate }, template: { spec: template } },
  }) as unknown as DaemonSet;
const pod = (
  name: string,
  revision: string,
  { phase = 'Running', ready = true, deleted = false, minute = 0 } = {},
): Pod =>
  ({
    metadata: {
      name,
      creationTimestamp: `2026-01-01T00:0${minute}:00Z`,
      labels: { 'controller-revision-hash': revision },
      ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:30Z' } : {}),
    },
    spec: { nodeName: 'n', containers: [] },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  }) as unknown as Pod;
const node = (name: string, pods: readonly Pod[], run = true, stay = run): DaemonNode => ({ name, pods, run, stay });
const names = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata?.name ?? '');
const replacing = setWith({ maxUnavailable: 1, maxSurge: 0 });
const surging = setWith({ maxUnavailable: 0, maxSurge: 1 });

describe("a daemon set's node", () => {
  const cases: readonly (readonly [
    name: string,
    set: DaemonSet,
    node: DaemonNode,
    created: boolean,
    deleted: string[],
  ])[] = [
    ['gets a pod', replacing, node('n', []), true, []],
    ['keeps its pod', replacing, node('n', [pod('a', 'old')]), false, []],
    ['loses its pod', replacing, node('n', [pod('a', 'new')], false), false, ['a']],
    ['keeps its pod, but would get none', replacing, node('n', [pod('a', 'new')], false, true), false, []],
    ['loses the younger of two', replacing, node('n', [pod('b', 'new', { minute: 1 }), pod('a', 'new')]), false, ['b']],
    ['loses what ended', replacing, node('n', [pod('a', 'new', { phase: 'Failed' })]), false, ['a']],
    ['waits for what goes', replacing, node('n', [pod('a', 'new', { deleted: true })]), false, []],
    ['is given one while the other goes', surging, node('n', [pod('a', 'old', { deleted: true })]), true, []],
    [
      'has both while the new one starts',
      surging,
      node('n', [pod('a', 'old'), pod('b', 'new', { ready: false })]),
      false,
      [],
    ],
    ['loses the old one then', surging, node('n', [pod('a', 'old'), pod('b', 'new')]), false, ['a']],
  ];
  for (const [name, set, one, created, deleted] of cases)
    it(name, () => {
      const plan = planNode(set, one, { ...options, ended: () => true });
      expect(plan.create).to.deep.equal(created ? ['n'] : []);
      expect(names(plan.delete)).to.deep.equal(deleted);
    });
  it('is asked for by tolerations, and with a taint keeps what it has', () => {
    const tainted = (effect: string, key = 'mine'): Node =>
      ({ metadata: { name: 'n' }, spec: { taints: [{ key, effect }] } }) as unknown as Node;
    expect(wishFor(replacing, tainted('NoSchedule'))).to.deep.equal({ run: false, stay: true });
    expect(wishFor(replacing, tainted('NoExecute'))).to.deep.equal({ run: false, stay: false });
    expect(wishFor(replacing, tainted('NoExecute', 'node.kubernetes.io/not-ready'))).to.deep.equal({
      run: true,
      stay: true,
    });
    expect(wishFor(setWith({}, { nodeSelector: { disk: 'ssd' } }), tainted('NoSchedule'))).to.deep.equal({
      run: false,
      stay: false,
    });
  });
  it('is where its pod is bound to', () => {
    const made = podTemplate(replacing, 'n7', 'h');
    expect(targetNode({ spec: made.spec } as Pod)).to.equal('n7');
    expect(made.metadata?.labels).to.deep.equal({ 'controller-revision-hash': 'h' });
    expect(made.spec?.tolerations).to.have.length(6);
  });
});

describe('an update of a daemon set', () => {
  for (const [limits, desired, surge, unavailable] of [
    [{ maxUnavailable: '10%', maxSurge: 0 }, 15, 0, 2],
    [{ maxUnavailable: 0, maxSurge: '1%' }, 15, 1, 0],
    [{ maxUnavailable: 0, maxSurge: 0 }, 15, 0, 1],
    [{ maxUnavailable: 0, maxSurge: 0 }, 0, 0, 0],
  ] as const)
    it(`of ${desired} pods with ${JSON.stringify(limits)} has ${unavailable} down and ${surge} beyond`, () =>
      expect(updateLimits(setWith(limits), desired)).to.deep.equal({ maxSurge: surge, maxUnavailable: unavailable }));
  it('replaces what is down, and so many more', () => {
    const nodes = [
      node('a', [pod('a', 'old')]),
      node('b', [pod('b', 'old')]),
      node('c', [pod('c', 'old', { ready: false })]),
    ];
    expect(names(planUpdate(replacing, nodes, options).delete)).to.deep.equal(['c']);
    expect(names(planUpdate(setWith({ maxUnavailable: 2 }), nodes, options).delete)).to.deep.equal(['c', 'a']);
    const starting = [node('a', [pod('a', 'new', { ready: false })]), nodes[1]!];
    expect(planUpdate(replacing, starting, options).delete).to.deep.equal([]);
  });
  it('makes so many beside the old ones, which go when the new ones are there', () => {
    const nodes = [node('a', [pod('a', 'old')]), node('b', [pod('b', 'old')])];
    expect(planUpdate(surging, nodes, options)).to.deep.equal({ create: ['a'], delete: [] });
    const next = [node('a', [pod('a', 'old'), pod('a2', 'new')]), nodes[1]!];
    const plan = planUpdate(surging, next, options);
    expect([plan.create, names(plan.delete)]).to.deep.equal([['b'], ['a']]);
  });
  it('is told in the status', () => {
    const nodes = [
      node('a', [pod('a', 'new')]),
      node('b', [pod('b', 'old', { ready: false })]),
      node('c', []),
      node('d', [pod('d', 'old')], false),
    ];
    expect(countedStatus(replacing, nodes, options)).to.deep.equal({
      desiredNumberScheduled: 3,
      currentNumberScheduled: 2,
      numberMisscheduled: 1,
      numberReady: 1,
      updatedNumberScheduled: 1,
      numberAvailable: 1,
      numberUnavailable: 2,
    });
  });
  it('waits longer after each failure of a node', async () => {
    const clock = new FakeClock();
    const backOff = new FailedPodBackOff(clock);
    expect([backOff.waitMs('a'), backOff.waitMs('a'), backOff.waitMs('b')]).to.deep.equal([0, 1_000, 0]);
    await clock.advance(1_000);
    expect([backOff.waitMs('a'), backOff.waitMs('a')]).to.deep.equal([0, 2_000]);
  });
});
