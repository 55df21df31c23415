import { expect } from 'chai';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { NodeInfo } from '../node-info.ts';
import { imageScores } from './image-locality.ts';
import { nodeAffinityScores, taintScores } from './node-preferences.ts';
import { podAffinityScores } from './pod-preferences.ts';
import { balanceScores, leastAllocatedScores } from './resources.ts';
import { scoresOf, type ScoreView } from './scores.ts';
import { spreadScores } from './spread-preferences.ts';

const node = (
  name: string,
  parts: { labels?: Record<string, string>; spec?: object; status?: object } = {},
): NodeInfo =>
  new NodeInfo({
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...parts.labels } },
    spec: parts.spec ?? {},
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' }, ...parts.status },
  } as unknown as Node);
let count = 0;
const pod = (spec: object = {}, labels: Record<string, string> = {}): Pod =>
  ({
    metadata: { name: `p${++count}`, uid: `u${count}`, namespace: 'default', labels },
    spec: { containers: [{ name: 'c', image: 'web:1' }], ...spec },
  }) as unknown as Pod;
const wants = (requests: Record<string, string>): object => ({ containers: [{ name: 'c', resources: { requests } }] });
const viewOf = (nodes: readonly NodeInfo[], more: Partial<ScoreView> = {}): ScoreView => ({
  nodes,
  namespace: () => undefined,
  defaultSelector: () => undefined,
  ...more,
});
const web = { app: 'web' };
const near = { labelSelector: { matchLabels: web }, topologyKey: 'zone' };

/** The figures are those of the reference's formulas. */
describe('how well a node does', () => {
  it('is less for taints that it would rather not have, in proportion', () => {
    const taint = (key: string) => ({ key, effect: 'PreferNoSchedule' });
    const nodes = [
      node('a', { spec: { taints: [taint('x'), taint('y')] } }),
      node('b', { spec: { taints: [taint('x')] } }),
      node('c'),
    ];
    expect(taintScores(pod(), nodes)).to.deep.equal([0, 50, 100]);
    const tolerant = pod({ tolerations: [{ key: 'x', operator: 'Exists' }] });
    expect(taintScores(tolerant, nodes)).to.deep.equal([0, 100, 100]);
    const otherwise = pod({ tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] });
    expect(taintScores(otherwise, nodes)).to.deep.equal([0, 50, 100]);
  });
  it('is more for what the pod prefers of nodes', () => {
    const prefers = (weight: number, value: string) => ({
      weight,
      preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: [value] }] },
    });
    const asked = pod({
      affinity: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [prefers(3, 'ssd'), prefers(1, 'hdd')] },
      },
    });
    const nodes = [node('a', { labels: { disk: 'ssd' } }), node('b', { labels: { disk: 'hdd' } }), node('c')];
    expect(nodeAffinityScores(asked, nodes)).to.deep.equal([100, 33, 0]);
    expect(nodeAffinityScores(pod(), nodes)).to.equal(undefined);
  });
  it('is what is left of CPU and memory, with assumed requests where there are none', () => {
    const [empty, half] = [node('a'), node('b')];
    half.add(pod(wants({ cpu: '2', memory: '4Gi' })));
    // (4000m − 100m) / 4000m and (8Gi − 200Mi) / 8Gi
    expect(leastAllocatedScores(pod(), [empty, half])).to.deep.equal([97, 47]);
    expect(leastAllocatedScores(pod(wants({ cpu: '2', memory: '2Gi' })), [empty, half])).to.deep.equal([62, 12]);
  });
  it('is more where the pod evens out what is used, and no matter for a pod that asks for nothing', () => {
    const uneven = node('a');
    uneven.add(pod(wants({ memory: '4Gi' })));
    // Before: a deviation of 0.25, after of 0.
    expect(balanceScores(pod(wants({ cpu: '2' })), [uneven, node('b')])).to.deep.equal([87, 62]);
    expect(balanceScores(pod(), [uneven])).to.equal(undefined);
  });
  it('is more where large images are already, less for those that few nodes have', () => {
    const image = { names: ['web:1'], sizeBytes: 500 * 1024 * 1024 };
    const [has, lacks] = [node('a', { status: { images: [image] } }), node('b')];
    expect(imageScores(pod(), [has, lacks], [has, lacks])).to.deep.equal([23, 0]);
    expect(imageScores(pod(), [lacks], [lacks])).to.equal(undefined);
  });
  it('is more near pods that it would be with, less near those that it would not', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((zone) => node(zone, { labels: { zone } })) as [NodeInfo, NodeInfo, NodeInfo];
    a.add(pod({}, web));
    b.add(pod({}, { app: 'noise' }));
    const terms = (weight: number, app: string) => [
      { weight, podAffinityTerm: { ...near, labelSelector: { matchLabels: { app } } } },
    ];
    const asked = pod({
      affinity: {
        podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms(10, 'web') },
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms(10, 'noise') },
      },
    });
    expect(await podAffinityScores(asked, [a, b, c], viewOf([a, b, c]))).to.deep.equal([100, 0, 50]);
  });
  it('counts what pods that are there would be with', async () => {
    const [a, b] = [node('a', { labels: { zone: 'a' } }), node('b', { labels: { zone: 'b' } })];
    a.add(pod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near] } } }, web));
    expect(await podAffinityScores(pod({}, web), [a, b], viewOf([a, b]))).to.deep.equal([100, 0]);
    expect(await podAffinityScores(pod(), [a, b], viewOf([a, b]))).to.equal(undefined);
  });
  it('is less where there are many of its kind, as its constraints ask', () => {
    const [a, b, none] = [node('a', { labels: { zone: 'a' } }), node('b', { labels: { zone: 'b' } }), node('c')];
    for (let i = 0; i < 3; i++) a.add(pod({}, web));
    b.add(pod({}, web));
    const asked = pod({
      topologySpreadConstraints: [{ ...near, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' }],
    });
    // 3 and 1 times log(2 + 2), rounded: 4 and 1.
    expect(spreadScores(asked, [a, b, none], viewOf([a, b, none]))).to.deep.equal([25, 100, 0]);
    expect(spreadScores(pod(), [a, b], viewOf([a, b]))).to.equal(undefined);
  });
  it('is less where there are many of its owner, without constraints of its own', () => {
    const [a, b] = [node('a'), node('b')];
    for (let i = 0; i < 4; i++) a.add(pod({}, web));
    const defaultSelector = () => ({ matchLabels: web });
    expect(spreadScores(pod({}, web), [a, b], viewOf([a, b], { defaultSelector }))).to.deep.equal([25, 100]);
  });
  it('is the sum of all, with their weights', async () => {
    const [a, b] = [node('a'), node('b', { spec: { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] } })];
    expect(await scoresOf(pod(), [a, b], viewOf([a, b]))).to.deep.equal([397, 97]);
  });
});
