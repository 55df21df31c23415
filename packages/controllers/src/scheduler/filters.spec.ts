import { expect } from 'chai';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import { selectorOf } from '../controller/selector-of.ts';
import { keyOf } from '../informers/object-key.ts';
import { SelectorIndex } from '../selectors/selector-index.ts';
import { PodFilters, type Misfit } from './filters.ts';
import { devicesTexts, fitErrorText, noPreemptionText } from './fit-error.ts';
import { NodeInfo } from './node-info.ts';
import { findPreemption, whyNotPreempting, type FoundPreemption } from './preemption.ts';
import type { KnownBudgets } from './victim-budgets.ts';

type Meta = { readonly labels?: Record<string, string> };
const node = (
  name: string,
  parts: { labels?: Record<string, string>; spec?: object; allocatable?: object } = {},
): NodeInfo =>
  new NodeInfo({
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...parts.labels } },
    spec: parts.spec ?? {},
    status: { allocatable: parts.allocatable ?? { cpu: '2', memory: '4Gi', pods: '3' } },
  } as unknown as Node);
let count = 0;
const pod = (spec: object = {}, metadata: Meta = {}): Pod =>
  ({
    metadata: { name: `p${++count}`, uid: `u${count}`, namespace: 'default', ...metadata },
    spec: { containers: [{ name: 'c' }], ...spec },
  }) as unknown as Pod;
const wants = (requests: Record<string, string>): object => ({ containers: [{ name: 'c', resources: { requests } }] });
const view = (nodes: readonly NodeInfo[]) => ({ nodes, namespace: () => undefined });
const check = async (asked: Pod, info: NodeInfo, others: readonly NodeInfo[] = []): Promise<Misfit | undefined> =>
  (await PodFilters.of(asked, view([info, ...others]))).misfit(info);
const web: Meta = { labels: { app: 'web' } };
const webTerm = { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' };
const anti = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [webTerm] } } };

describe('what keeps a pod off a node', () => {
  const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };
  const rows: readonly (readonly [
    name: string,
    asked: Pod,
    info: () => NodeInfo,
    expected: readonly string[] | undefined,
  ])[] = [
    ['nothing', pod(), () => node('n'), undefined],
    ['a cordon', pod(), () => node('n', { spec: { unschedulable: true } }), ['node(s) were unschedulable']],
    ['a taint', pod(), () => node('n', { spec: { taints: [taint] } }), ['node(s) had untolerated taint(s)']],
    [
      'no taint that it tolerates',
      pod({ tolerations: [{ key: 'k', operator: 'Exists' }] }),
      () => node('n', { spec: { taints: [taint] } }),
      undefined,
    ],
    [
      'no taint that only asks',
      pod(),
      () => node('n', { spec: { taints: [{ ...taint, effect: 'PreferNoSchedule' }] } }),
      undefined,
    ],
    [
      'its selector',
      pod({ nodeSelector: { zone: 'a' } }),
      () => node('n', { labels: { zone: 'b' } }),
      ["node(s) didn't match Pod's node affinity/selector"],
    ],
    [
      'too little of several resources',
      pod(wants({ cpu: '2001m', memory: '5Gi' })),
      () => node('n'),
      ['Insufficient cpu', 'Insufficient memory'],
    ],
    ['exactly enough', pod(wants({ cpu: '2', memory: '4Gi' })), () => node('n'), undefined],
    [
      'a resource that the node has not',
      pod(wants({ 'example.com/gpu': '1' })),
      () => node('n'),
      ['Insufficient example.com/gpu'],
    ],
    ['the number of pods', pod(), () => node('n', { allocatable: { pods: '0' } }), ['Too many pods']],
  ];
  for (const [name, asked, info, expected] of rows)
    it(`is ${name}`, async () => {
      expect((await check(asked, info()))?.reasons).to.deep.equal(expected);
    });

  it('is a port that another has', async () => {
    const info = node('n');
    const port = (hostIP: string): object => ({ containers: [{ name: 'c', ports: [{ hostPort: 80, hostIP }] }] });
    info.add(pod(port('10.0.0.1')));
    expect((await check(pod(port('')), info))?.reasons).to.deep.equal([
      "node(s) didn't have free ports for the requested pod ports",
    ]);
    expect(await check(pod(port('10.0.0.2')), info)).to.equal(undefined);
  });
  it('is another pod that it will not be with, and one that will not be with it', async () => {
    const info = node('n');
    info.add(pod({}, web));
    expect((await check(pod(anti), info))?.reasons).to.deep.equal(["node(s) didn't match pod anti-affinity rules"]);
    const other = node('m');
    other.add(pod(anti));
    expect((await check(pod({}, web), other))?.reasons).to.deep.equal([
      "node(s) didn't satisfy existing pods anti-affinity rules",
    ]);
    expect(await check(pod({}, { labels: { app: 'db' } }), other)).to.equal(undefined);
  });
  it('is the lack of one that it wants to be with, but for the first of its kind', async () => {
    const affinity = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [webTerm] } } };
    const [empty, full] = [node('n'), node('m')];
    expect(await check(pod(affinity, web), empty)).to.equal(undefined);
    expect((await check(pod(affinity), empty))?.reasons).to.deep.equal(["node(s) didn't match pod affinity rules"]);
    full.add(pod({}, web));
    expect((await check(pod(affinity, web), empty, [full]))?.reasons).to.deep.equal([
      "node(s) didn't match pod affinity rules",
    ]);
    expect(await check(pod(affinity), full)).to.equal(undefined);
  });
  it('is the lack of one that has all that it wants to be with', async () => {
    const dbTerm = { ...webTerm, labelSelector: { matchLabels: { tier: 'db' } } };
    const both = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [webTerm, dbTerm] } };
    const [one, all] = [node('n'), node('m')];
    one.add(pod({}, web));
    one.add(pod({}, { labels: { tier: 'db' } }));
    expect((await check(pod({ affinity: both }), one, [all]))?.reasons).to.deep.equal([
      "node(s) didn't match pod affinity rules",
    ]);
    all.add(pod({}, { labels: { app: 'web', tier: 'db' } }));
    expect(await check(pod({ affinity: both }), all, [one])).to.equal(undefined);
  });
  const repelling = (terms: readonly object[]): object => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  // It was one step, of seconds with a pod of five thousand terms beside ten thousand pods.
  it('is found in turns where there are thousands of terms', async () => {
    const nodes = Array.from({ length: 20 }, (_, i) => node(`n${i}`));
    for (const info of nodes) for (let i = 0; i < 40; i++) info.add(pod({}, web));
    const terms = Array.from({ length: 2_000 }, (_, i) => ({
      ...webTerm,
      labelSelector: { matchLabels: { app: `a${i}` } },
    }));
    const theirs = node('m');
    for (let i = 0; i < 40; i++) theirs.add(pod(repelling(terms)));
    for (const [asked, beside] of [
      [pod(repelling(terms)), nodes],
      [pod({}, web), Array.from({ length: 20 }, () => theirs)],
    ] as const) {
      let turns = 0;
      let found: PodFilters | undefined;
      void PodFilters.of(asked, view(beside)).then((filters) => (found = filters));
      for (; found === undefined; turns++) await new Promise((resolve) => setImmediate(resolve));
      expect(found.misfit(node('o'))).to.equal(undefined);
      expect(turns).to.be.above(3);
    }
  });
  // Each node was held against every place of the others: three seconds for these.
  it('is a look-up at each node, however many are closed to the pod', async () => {
    const nodes = Array.from({ length: 4_000 }, (_, i) => node(`n${i}`));
    for (const info of nodes) info.add(pod(anti, web));
    const filters = await PodFilters.of(pod({}, web), view(nodes));
    const startedAt = process.threadCpuUsage().user;
    for (const info of nodes) expect(filters.misfit(info)?.resolvable).to.equal(true);
    expect((process.threadCpuUsage().user - startedAt) / 1_000).to.be.below(500);
  });
  it('is a disk that another writes to', async () => {
    const disk = (readOnly: boolean): object => ({
      volumes: [{ name: 'v', gcePersistentDisk: { pdName: 'd', readOnly } }],
    });
    const info = node('n');
    info.add(pod(disk(true)));
    expect(await check(pod(disk(true)), info)).to.equal(undefined);
    expect((await check(pod(disk(false)), info))?.reasons).to.deep.equal(['node(s) had no available disk']);
  });
  it('is what spreads pods', async () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const [a, b, none] = [node('a', { labels: { zone: 'a' } }), node('b', { labels: { zone: 'b' } }), node('c')];
    a.add(pod({}, web));
    const asked = pod({ topologySpreadConstraints: [constraint] }, web);
    const filters = await PodFilters.of(asked, view([a, b, none]));
    expect(filters.misfit(a)?.reasons).to.deep.equal(["node(s) didn't match pod topology spread constraints"]);
    expect(filters.misfit(b)).to.equal(undefined);
    expect(filters.misfit(none)?.reasons).to.deep.equal([
      "node(s) didn't match pod topology spread constraints (missing required label)",
    ]);
  });
});

describe('the text for a pod that fits nowhere', () => {
  it('counts reasons over nodes', () => {
    const misfits: Misfit[] = [
      { reasons: ['node(s) had untolerated taint(s)'], resolvable: false, cause: 'node' },
      { reasons: ['Insufficient cpu'], resolvable: true, cause: 'resources' },
      { reasons: ['Insufficient cpu', 'Insufficient memory'], resolvable: true, cause: 'resources' },
    ];
    const noVictims = ['No preemption victims found for incoming pod'];
    const refusals = [['Preemption is not helpful for scheduling'], noVictims, noVictims];
    expect(fitErrorText(misfits, { devices: devicesTexts.none, preemption: noPreemptionText(refusals) })).to.equal(
      '0/3 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint(s), 2 Insufficient ' +
        'cpu. no new claims to deallocate, preemption: 0/3 nodes are available: 1 Preemption is not helpful for ' +
        'scheduling, 2 No preemption victims found for incoming pod.',
    );
  });
  it('says when there are no nodes', () => {
    expect(fitErrorText([], undefined)).to.equal('no nodes available to schedule pods');
  });
});

describe('pre-emption', () => {
  const known = (budgets: readonly PodDisruptionBudget[]): KnownBudgets => {
    const selectors = new SelectorIndex();
    for (const each of budgets) selectors.set(keyOf(each), selectorOf(each));
    return { selectors, get: (key) => budgets.find((each) => keyOf(each) === key) };
  };
  const important = pod({ priority: 100, ...wants({ cpu: '2' }) });
  const find = async (
    asked: Pod,
    nodes: readonly NodeInfo[],
    budgets: readonly PodDisruptionBudget[] = [],
  ): Promise<FoundPreemption> => {
    const filters = await PodFilters.of(asked, view(nodes));
    const misfits = new Map(nodes.map((info) => [info, filters.misfit(info)!]));
    const misfit = (info: NodeInfo, each: PodFilters): Misfit | undefined => each.misfit(info);
    return findPreemption(asked, misfits, {
      filters,
      view: view(nodes),
      budgets: known(budgets),
      misfit,
      random: () => 0,
    });
  };
  const budget = (disruptionsAllowed: number): PodDisruptionBudget =>
    ({
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { matchLabels: { app: 'web' } } },
      status: { disruptionsAllowed },
    }) as unknown as PodDisruptionBudget;
  it('takes as few as possible, the least important ones, where they are least important', async () => {
    const [a, b] = [node('a'), node('b')];
    const [small, large, medium] = [
      pod({ priority: 1, ...wants({ cpu: '500m' }) }),
      pod({ priority: 2, ...wants({ cpu: '1500m' }) }),
      pod({ priority: 5, ...wants({ cpu: '2' }) }),
    ];
    a.add(small);
    a.add(large);
    b.add(medium);
    const asked = pod({ priority: 100, ...wants({ cpu: '500m' }) });
    const found = (await find(asked, [a, b])).preemption;
    expect(found?.node.name).to.equal('a');
    expect(found?.victims).to.deep.equal([small]);
  });
  it('takes nothing that is as important, and nothing in vain', async () => {
    const info = node('a');
    info.add(pod({ priority: 100, ...wants({ cpu: '2' }) }));
    expect(await find(important, [info])).to.deep.equal({
      preemption: undefined,
      refusals: [['No preemption victims found for incoming pod']],
    });
    const tainted = node('b', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
    tainted.add(pod(wants({ cpu: '2' })));
    expect(await find(important, [tainted])).to.deep.equal({
      preemption: undefined,
      refusals: [['Preemption is not helpful for scheduling']],
    });
  });
  it('says what would still be missing without the others', async () => {
    const info = node('a');
    info.add(pod({ priority: 100, ...wants({ cpu: '1' }) }));
    info.add(pod(wants({ cpu: '500m' })));
    expect((await find(important, [info])).refusals).to.deep.equal([['Insufficient cpu']]);
  });
  it('breaks budgets last', async () => {
    const [a, b] = [node('a'), node('b')];
    const [guarded, free] = [pod(wants({ cpu: '2' }), web), pod({ priority: 5, ...wants({ cpu: '2' }) })];
    a.add(guarded);
    b.add(free);
    expect((await find(important, [a, b], [budget(0)])).preemption?.victims).to.deep.equal([free]);
    expect((await find(important, [a, b], [budget(1)])).preemption?.victims).to.deep.equal([guarded]);
  });
  it('spares on one node those that a budget guards, though they are less important', async () => {
    const info = node('a');
    const [guarded, free] = [pod(wants({ cpu: '1' }), web), pod({ priority: 5, ...wants({ cpu: '1' }) })];
    info.add(guarded);
    info.add(free);
    const asked = pod({ priority: 100, ...wants({ cpu: '1' }) });
    expect((await find(asked, [info], [budget(0)])).preemption).to.include({ violations: 0 });
    expect((await find(asked, [info], [budget(0)])).preemption?.victims).to.deep.equal([free]);
  });
  it('lets others have the thread between two tries', async () => {
    const nodes = Array.from({ length: 20 }, (_, i) => node(`n${i}`, { allocatable: { cpu: '2', pods: '20' } }));
    for (const info of nodes) for (let i = 0; i < 20; i++) info.add(pod({ ...wants({ cpu: '100m' }), ...anti }, web));
    const asked = pod({ priority: 100, ...wants({ cpu: '100m' }), ...anti }, web);
    let turns = 0;
    let found: FoundPreemption | undefined;
    void find(asked, nodes).then((result) => (found = result));
    for (; found === undefined; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(found.preemption?.victims).to.have.length(20);
    expect(turns).to.be.above(3);
  });
  it('prefers, where all else is alike, those that began last', async () => {
    const [a, b] = [node('a'), node('b')];
    const since = (startTime: string): Pod => ({ ...pod(wants({ cpu: '2' })), status: { startTime } });
    a.add(since('2026-01-01T00:00:00Z'));
    b.add(since('2026-01-01T00:00:01Z'));
    expect((await find(important, [a, b])).preemption?.node).to.equal(b);
  });
  it('is not for pods that must not, nor for those whose room is being made', async () => {
    const info = node('a');
    info.add({
      ...pod(wants({ cpu: '2' }), { deletionTimestamp: '2026-01-01T00:00:00Z' } as Meta),
      status: { conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }] },
    });
    const misfits = new Map([[info, (await check(important, info))!]]);
    expect(whyNotPreempting(important, misfits)).to.equal(undefined);
    expect(whyNotPreempting({ ...important, status: { nominatedNodeName: 'a' } }, misfits)).to.equal(
      'not eligible due to a terminating pod on the nominated node.',
    );
    expect(whyNotPreempting(pod({ preemptionPolicy: 'Never' }), misfits)).to.equal(
      'not eligible due to preemptionPolicy=Never.',
    );
  });
});
