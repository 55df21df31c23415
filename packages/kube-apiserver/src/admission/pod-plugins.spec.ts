import type { KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin, NamespaceLister } from '@kubechain/apiserver/resources';
import { creationOf } from '@kubechain/apiserver/testing';
import { expect } from 'chai';
import { AlwaysPullImages } from './always-pull-images.ts';
import { DenyServiceExternalIPs } from './deny-service-external-ips.ts';
import { EventRateLimit } from './event-rate-limit.ts';
import type { EventLimit } from './event-rate-limit.ts';
import { ExtendedResourceToleration } from './extended-resource-toleration.ts';
import { LimitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { NodeDeclaredFeatureValidator } from './node-declared-feature-validator.ts';
import { PodNodeSelector } from './pod-node-selector.ts';
import { PodResizeValidator } from './pod-resize-validator.ts';
import { PodTolerationRestriction } from './pod-toleration-restriction.ts';

const resources: Readonly<Record<string, string>> = { Pod: 'pods', Service: 'services', Event: 'events' };

function attributesOf(object: KubeObject, more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  const kind = object.kind ?? '';
  return creationOf({
    kind: { group: '', version: 'v1', kind },
    resource: { group: '', version: 'v1', resource: resources[kind] ?? '' },
    object,
    ...more,
  });
}

/** A pod `x`. */
const pod = (spec: object, more: object = {}): KubeObject => ({ kind: 'Pod', metadata: { name: 'x' }, spec, ...more });

const annotated = (annotations: Record<string, string>): NamespaceLister => ({
  get: (name) => (name === 'ns' ? { metadata: { name, annotations } } : undefined),
  getLive: () => Promise.resolve(undefined),
});

async function admitted(
  plugin: AdmissionPlugin,
  object: KubeObject,
  more: Partial<AdmissionAttributes> = {},
): Promise<unknown> {
  const attributes = attributesOf(object, more);
  await plugin.admit?.(attributes);
  return attributes.object?.['spec'];
}

/** The words of a refusal with its status code, or `allowed`. */
async function verdict(
  plugin: AdmissionPlugin,
  object: KubeObject,
  more: Partial<AdmissionAttributes> = {},
): Promise<string> {
  const attributes = attributesOf(object, more);
  if (!plugin.handles(attributes.operation)) return 'not asked';
  try {
    await plugin.admit?.(attributes);
    await plugin.validate?.(attributes);
    return 'allowed';
  } catch (error) {
    const { code, message } = error as { readonly code: number; readonly message: string };
    return `${code} ${message}`;
  }
}

describe('AlwaysPullImages', () => {
  const plugin = new AlwaysPullImages();

  it('has every image asked for anew', async () => {
    const spec = {
      initContainers: [{ name: 'i', image: 'i', imagePullPolicy: 'Never' }],
      containers: [{ name: 'c', image: 'c' }],
      ephemeralContainers: [{ name: 'e', image: 'e' }],
      volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'Never' } }, { name: 'w' }],
    };
    expect(await admitted(plugin, pod(spec))).to.deep.equal({
      initContainers: [{ name: 'i', image: 'i', imagePullPolicy: 'Always' }],
      containers: [{ name: 'c', image: 'c', imagePullPolicy: 'Always' }],
      ephemeralContainers: [{ name: 'e', image: 'e', imagePullPolicy: 'Always' }],
      volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'Always' } }, { name: 'w' }],
    });
  });
  it('leaves updates alone that bring no new image', async () => {
    const spec = { containers: [{ name: 'c', image: 'c' }] };
    expect(await admitted(plugin, pod(spec), { operation: 'UPDATE', oldObject: pod(spec) })).to.deep.equal(spec);
  });
  it('tells of each policy that a later plugin has changed', () => {
    const spec = { containers: [{ name: 'a', imagePullPolicy: 'Never' }, { name: 'b' }] };
    expect(() => {
      plugin.validate(attributesOf(pod(spec)));
    }).to.throw(
      '[pods "x" is forbidden: spec.containers[0].imagePullPolicy: Unsupported value: "Never": supported ' +
        'values: "Always", ' +
        'pods "x" is forbidden: spec.containers[1].imagePullPolicy: Unsupported value: "": supported values: "Always"]',
    );
  });
});

describe('LimitPodHardAntiAffinityTopology', () => {
  const required = (...keys: string[]): KubeObject =>
    pod({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: keys.map((topologyKey) => ({ topologyKey })),
        },
      },
    });
  for (const [title, object, expected] of [
    ['allows no affinity', pod({}), 'allowed'],
    ['allows nodes', required('kubernetes.io/hostname'), 'allowed'],
    [
      'refuses zones',
      required('kubernetes.io/hostname', 'zone'),
      '403 pods "x" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but ' +
        'only key kubernetes.io/hostname is allowed',
    ],
  ] as const)
    it(title, async () => {
      expect(await verdict(new LimitPodHardAntiAffinityTopology(), object)).to.equal(expected);
    });
});

describe('ExtendedResourceToleration', () => {
  it('tolerates what keeps nodes for extended resources, by name', async () => {
    const requests = { 'example.com/b': '1', cpu: '1', 'example.com/a': '1' };
    const spec = {
      initContainers: [{ name: 'i', resources: { requests: { 'example.com/c': '1' } } }],
      containers: [{ name: 'c', resources: { requests } }],
      tolerations: [
        { key: 'example.com/a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 3 },
        { key: 'k' },
      ],
    };
    const toleration = (key: string): object => ({ key, operator: 'Exists', effect: 'NoSchedule' });
    expect(await admitted(new ExtendedResourceToleration(), pod(spec))).to.deep.include({
      tolerations: [
        toleration('example.com/a'),
        { key: 'k' },
        toleration('example.com/b'),
        toleration('example.com/c'),
      ],
    });
  });
});

describe('DenyServiceExternalIPs', () => {
  const service = (...externalIPs: string[]): KubeObject => ({ kind: 'Service', spec: { externalIPs } });
  const refused = '403 services "x" is forbidden: Use of external IPs is denied by admission control';
  for (const [title, now, old, expected] of [
    ['allows none', service(), undefined, 'allowed'],
    ['refuses new ones', service('1.1.1.1'), undefined, refused],
    ['lets them be taken away', service('1.1.1.1'), service('2.2.2.2', '1.1.1.1'), 'allowed'],
    ['refuses others', service('1.1.1.1', '3.3.3.3'), service('1.1.1.1'), refused],
  ] as const)
    it(title, async () => {
      const more = old === undefined ? {} : ({ operation: 'UPDATE', oldObject: old } as const);
      expect(await verdict(new DenyServiceExternalIPs(), now, more)).to.equal(expected);
    });
});

describe('PodNodeSelector', () => {
  const key = 'scheduler.alpha.kubernetes.io/node-selector';
  const plugin = (annotation?: string, selectors: Record<string, string> = {}): PodNodeSelector =>
    new PodNodeSelector({ namespaces: annotated(annotation === undefined ? {} : { [key]: annotation }), selectors });

  it('adds what the namespace selects', async () => {
    expect(await admitted(plugin('a=b, c=d'), pod({ nodeSelector: { e: 'f' } }))).to.deep.equal({
      nodeSelector: { a: 'b', c: 'd', e: 'f' },
    });
  });
  it('adds what the cluster selects where the namespace says nothing', async () => {
    expect(await admitted(plugin(undefined, { clusterDefaultNodeSelector: 'a=b' }), pod({}))).to.deep.equal({
      nodeSelector: { a: 'b' },
    });
  });
  for (const [title, made, object, expected] of [
    [
      'refuses a conflict',
      plugin('a=b'),
      pod({ nodeSelector: { a: 'c' } }),
      '403 pods "x" is forbidden: pod node label selector conflicts with its namespace node label selector',
    ],
    [
      'holds pods to what their namespace may select',
      plugin(undefined, { ns: 'a=b' }),
      pod({ nodeSelector: { z: 'z' } }),
      '403 pods "x" is forbidden: pod node label selector labels conflict with its namespace whitelist',
    ],
    ['tells of what is no selector', plugin('a'), pod({}), '500 invalid selector: [a]'],
    [
      'tells of what is no label',
      plugin('-=b'),
      pod({}),
      `500 <nil>: Invalid value: "-": name part must consist of alphanumeric characters, '-', '_' or '.', and ` +
        `must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex ` +
        `used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
  ] as const)
    it(title, async () => {
      expect(await verdict(made, object)).to.equal(expected);
    });
  it('looks for the namespace', async () => {
    expect(await verdict(plugin(), pod({}), { namespace: 'none' })).to.equal('404 namespaces "none" not found');
  });
});

describe('PodTolerationRestriction', () => {
  const defaults = 'scheduler.alpha.kubernetes.io/defaultTolerations';
  const whitelist = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
  const plugin = (
    annotations: Record<string, string>,
    more: Partial<ConstructorParameters<typeof PodTolerationRestriction>[0]> = {},
  ): PodTolerationRestriction => new PodTolerationRestriction({ namespaces: annotated(annotations), ...more });
  const key = { key: 'k', operator: 'Exists' } as const;

  for (const [title, made, expected] of [
    ['adds those of the namespace', plugin({ [defaults]: '[{"key":"k","operator":"Exists"}]' }), [key]],
    ['adds those of the cluster where the namespace says nothing', plugin({}, { defaults: [key] }), [key]],
    ['adds none where the namespace says so', plugin({ [defaults]: '' }, { defaults: [key] }), undefined],
  ] as const)
    it(title, async () => {
      const spec = (await admitted(made, pod({ containers: [] }))) as { readonly tolerations?: unknown };
      expect(spec.tolerations).to.deep.equal(expected);
    });
  it('lets pods that ask for resources stay under memory pressure', async () => {
    const containers = [{ name: 'c', resources: { requests: { cpu: '1' } } }];
    expect(await admitted(plugin({}), pod({ containers }))).to.deep.include({
      tolerations: [{ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' }],
    });
  });
  for (const [title, made, expected] of [
    [
      'holds pods to what the namespace allows',
      plugin({ [whitelist]: '[{"key":"other","operator":"Exists"}]' }),
      '500 pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
    ],
    [
      'holds pods to what the cluster allows',
      plugin({}, { allowed: [{ key: 'other', operator: 'Exists' }] }),
      '500 pod tolerations (possibly merged with namespace default tolerations) conflict with its cluster whitelist',
    ],
    ['allows what is covered', plugin({ [whitelist]: '[{"operator":"Exists"}]' }), 'allowed'],
    ['allows all where nothing is listed', plugin({ [whitelist]: '' }, { allowed: [{ key: 'other' }] }), 'allowed'],
  ] as const)
    it(title, async () => {
      expect(await verdict(made, pod({ containers: [], tolerations: [key] }))).to.equal(expected);
    });
});

describe('EventRateLimit', () => {
  const event = (name: string): KubeObject => ({
    kind: 'Event',
    involvedObject: { kind: 'Pod', name },
    source: { component: 'c' },
  });
  const limited = (...limits: EventLimit[]): { plugin: EventRateLimit; clock: { nowMs: number } } => {
    const clock = { nowMs: 0 };
    return { plugin: new EventRateLimit(limits, { now: () => clock.nowMs }), clock };
  };
  const refusal = (type: string, key: string): string =>
    `429 Too many requests: limit reached on type ${type} for key ${key}`;

  it('lets a burst pass, then so many a second', async () => {
    const { clock, plugin } = limited({ type: 'Server', qps: 2, burst: 2 });
    const verdicts = [];
    for (let i = 0; i < 3; i++) verdicts.push(await verdict(plugin, event('a')));
    clock.nowMs += 500;
    verdicts.push(await verdict(plugin, event('a')), await verdict(plugin, event('a')));
    expect(verdicts).to.deep.equal(['allowed', 'allowed', refusal('Server', ''), 'allowed', refusal('Server', '')]);
  });
  for (const [type, key, other] of [
    ['Namespace', 'ns', { namespace: 'other' }],
    ['User', 'u', { user: { name: 'other', groups: [] } }],
  ] as const)
    it(`counts by ${type}`, async () => {
      const { plugin } = limited({ type, qps: 1, burst: 1 });
      await verdict(plugin, event('a'));
      expect(await verdict(plugin, event('b'))).to.equal(refusal(type, key));
      expect(await verdict(plugin, event('b'), other)).to.equal('allowed');
    });
  it('counts by source and object', async () => {
    const { plugin } = limited({ type: 'SourceAndObject', qps: 1, burst: 1 });
    await verdict(plugin, event('a'));
    expect(await verdict(plugin, event('a'))).to.equal(refusal('SourceAndObject', 'cPoda'));
    expect(await verdict(plugin, event('b'))).to.equal('allowed');
  });
  it('forgets who was not seen for longest', async () => {
    const { plugin } = limited({ type: 'User', qps: 1, burst: 1, cacheSize: 1 });
    const by = (name: string): Promise<string> => verdict(plugin, event('a'), { user: { name, groups: [] } });
    expect([await by('a'), await by('b'), await by('a')]).to.deep.equal(['allowed', 'allowed', 'allowed']);
  });
  it('tells of all limits that are reached', async () => {
    const { plugin } = limited({ type: 'Server', qps: 1, burst: 1 }, { type: 'User', qps: 1, burst: 1 });
    await verdict(plugin, event('a'));
    expect(await verdict(plugin, event('a'))).to.equal(
      '429 Too many requests: [limit reached on type Server for key , limit reached on type User for key u]',
    );
  });
  it('does not count what is tried only, nor other kinds', async () => {
    const { plugin } = limited({ type: 'Server', qps: 1, burst: 1 });
    for (const [object, more] of [
      [event('a'), { dryRun: true }],
      [pod({}), {}],
    ] as const)
      await verdict(plugin, object, more);
    expect(await verdict(plugin, event('a'))).to.equal('allowed');
  });
});

describe('NodeDeclaredFeatureValidator', () => {
  const nodes = {
    get: (name: string): Promise<KubeObject | undefined> =>
      Promise.resolve(
        name === 'gone'
          ? undefined
          : { status: { declaredFeatures: name === 'new' ? ['InPlacePodLevelResourcesVerticalScaling'] : [] } },
      ),
    list: () => Promise.resolve([]),
  };
  const bound = (nodeName: string, generation: number, cpu: string): KubeObject => ({
    kind: 'Pod',
    metadata: { name: 'x', generation },
    spec: { nodeName, resources: { requests: { cpu } } },
  });
  const resize = (nodeName: string, generation = 2, enabled = true): Promise<string> =>
    verdict(new NodeDeclaredFeatureValidator({ enabled, nodes }), bound(nodeName, generation, '2'), {
      operation: 'UPDATE',
      subresource: 'resize',
      oldObject: bound(nodeName, 1, '1'),
    });
  for (const [title, run, expected] of [
    ['allows what the node declares', () => resize('new'), 'allowed'],
    [
      'refuses what it does not',
      () => resize('old'),
      '403 pods "x" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling which ' +
        'are not available on node "old"',
    ],
    ['looks for the node', () => resize('gone'), '403 pods "x" is forbidden: node "gone" not found'],
    ['allows what changes no spec', () => resize('old', 1), 'allowed'],
    ['does nothing without its feature gate', () => resize('old', 2, false), 'not asked'],
  ] as const)
    it(title, async () => {
      expect(await run()).to.equal(expected);
    });
});

describe('PodResizeValidator', () => {
  const nodes = {
    get: (name: string): Promise<KubeObject | undefined> =>
      Promise.resolve(
        name === 'gone'
          ? undefined
          : {
              metadata: { name, labels: { 'kubernetes.io/os': name } },
              status: { allocatable: { cpu: '1', memory: '1Gi' } },
            },
      ),
    list: () => Promise.resolve([]),
  };
  const bound = (nodeName: string, generation: number, requests: object): KubeObject => ({
    kind: 'Pod',
    metadata: { name: 'x', generation },
    spec: { nodeName, containers: [{ name: 'c', resources: { requests } }], overhead: { cpu: '100m' } },
  });
  const resize = (
    nodeName: string,
    requests: object,
    { generation = 2, subresource = 'resize' } = {},
  ): Promise<string> =>
    verdict(new PodResizeValidator(nodes), bound(nodeName, generation, requests), {
      operation: 'UPDATE',
      subresource,
      oldObject: bound(nodeName, 1, {}),
    });
  const forbidden = '403 pods "x" is forbidden: ';
  for (const [title, run, expected] of [
    ['allows what fits, with the overhead', () => resize('linux', { cpu: '900m', memory: '1Gi' }), 'allowed'],
    [
      'tells what the node lacks',
      () => resize('linux', { cpu: '950m', memory: '2Gi' }),
      `${forbidden}node didn't have enough allocatable resources: cpu, requested: 1050, allocatable: 1000; memory, ` +
        'requested: 2147483648, allocatable: 1073741824',
    ],
    [
      'refuses other systems',
      () => resize('windows', {}),
      `${forbidden}pod resize is only supported on linux nodes, node "windows" is "windows"`,
    ],
    ['looks for the node', () => resize('gone', {}), `${forbidden}node "gone" not found`],
    ['allows what changes no spec', () => resize('windows', {}, { generation: 1 }), 'allowed'],
    ['is not asked about other updates', () => resize('windows', {}, { subresource: '' }), 'allowed'],
    ['allows pods without a node', () => resize('', { cpu: '5' }), 'allowed'],
  ] as const)
    it(title, async () => {
      expect(await run()).to.equal(expected);
    });
});
