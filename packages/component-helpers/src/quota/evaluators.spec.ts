import type { KubeObject } from '@kubechain/apimachinery';
import type { QuotaWrite, QuotaEvaluator } from './quota-evaluator.ts';
import { expect } from 'chai';
import { quotaEvaluators } from './evaluators.ts';

const now = Date.UTC(2026, 0, 2);
const evaluators = quotaEvaluators({ now: () => now });
const evaluatorOf = (resource: string): QuotaEvaluator => {
  const found = evaluators.get(resource.includes('.') ? resource : `${resource}.`);
  if (found === undefined) throw new TypeError(`no evaluator of ${resource}`);
  return found;
};
const container = (name: string, requests?: object, limits?: object): object => ({
  name,
  resources: { ...(requests === undefined ? {} : { requests }), ...(limits === undefined ? {} : { limits }) },
});

describe('what objects use of quotas', () => {
  const rows: readonly (readonly [
    name: string,
    resource: string,
    object: KubeObject,
    usage: Record<string, string>,
  ])[] = [
    ['a pod that says nothing', 'pods', { spec: { containers: [container('c')] } }, { 'count/pods': '1', pods: '1' }],
    [
      'containers together, with overhead',
      'pods',
      {
        spec: {
          containers: [
            container('a', { cpu: '1', 'x.io/gpu': '2' }, { memory: '1Gi' }),
            container('b', { cpu: '500m' }),
          ],
          overhead: { cpu: '250m' },
        },
      },
      {
        'count/pods': '1',
        pods: '1',
        cpu: '1750m',
        'requests.cpu': '1750m',
        'limits.memory': '1Gi',
        'requests.x.io/gpu': '2',
      },
    ],
    [
      'huge pages',
      'pods',
      { spec: { containers: [container('c', { 'hugepages-2Mi': '4Mi' })] } },
      { 'count/pods': '1', pods: '1', 'hugepages-2Mi': '4Mi', 'requests.hugepages-2Mi': '4Mi' },
    ],
    [
      'a pod that has ended',
      'pods',
      { spec: { containers: [container('c', { cpu: '1' })] }, status: { phase: 'Succeeded' } },
      { 'count/pods': '1' },
    ],
    [
      'a pod that should be gone',
      'pods',
      {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 },
        spec: { containers: [] },
      },
      { 'count/pods': '1' },
    ],
    ['a service', 'services', { spec: { ports: [{}] } }, { services: '1', 'count/services': '1' }],
    [
      'node ports',
      'services',
      { spec: { type: 'NodePort', ports: [{}, {}] } },
      { services: '1', 'count/services': '1', 'services.nodeports': '2' },
    ],
    [
      'a load balancer that wants no node ports',
      'services',
      { spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{}, { nodePort: 30_000 }] } },
      { services: '1', 'count/services': '1', 'services.loadbalancers': '1', 'services.nodeports': '1' },
    ],
    [
      'a claim of a class',
      'persistentvolumeclaims',
      { spec: { storageClassName: 'gold', resources: { requests: { storage: '1500m' } } } },
      {
        'count/persistentvolumeclaims': '1',
        persistentvolumeclaims: '1',
        'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
        'requests.storage': '2',
        'gold.storageclass.storage.k8s.io/requests.storage': '2',
      },
    ],
    [
      'a pod with devices of a class',
      'pods',
      { spec: { containers: [container('c', { 'deviceclass.resource.kubernetes.io/gpu': '2' })] } },
      { 'count/pods': '1', pods: '1', 'requests.deviceclass.resource.kubernetes.io/gpu': '2' },
    ],
    [
      'claims of devices: the most that may be given of each class',
      'resourceclaims.resource.k8s.io',
      {
        spec: {
          devices: {
            requests: [
              { name: 'a', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 } },
              { name: 'b', exactly: { deviceClassName: 'nic', allocationMode: 'All' } },
              {
                name: 'c',
                firstAvailable: [
                  { name: 'x', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 },
                  { name: 'y', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 3 },
                  { name: 'z', deviceClassName: 'tpu', allocationMode: 'ExactCount', count: 4 },
                ],
              },
            ],
          },
        },
      },
      {
        'count/resourceclaims.resource.k8s.io': '1',
        'gpu.deviceclass.resource.k8s.io/devices': '5',
        'nic.deviceclass.resource.k8s.io/devices': '32',
        'tpu.deviceclass.resource.k8s.io/devices': '4',
        'requests.deviceclass.resource.kubernetes.io/gpu': '5',
        'requests.deviceclass.resource.kubernetes.io/nic': '32',
        'requests.deviceclass.resource.kubernetes.io/tpu': '4',
      },
    ],
    ['a secret', 'secrets', {}, { 'count/secrets': '1', secrets: '1' }],
  ];
  for (const [name, resource, object, usage] of rows)
    it(name, () => {
      expect(
        Object.fromEntries(
          [...evaluatorOf(resource).usage(object)].map(([key, quantity]) => [key, quantity.toString()]),
        ),
      ).to.deep.equal(usage);
    });

  it('is limited by the names that a resource knows', () => {
    const names = [
      'cpu',
      'requests.x.io/gpu',
      'x.io/gpu',
      'services',
      'gold.storageclass.storage.k8s.io/requests.storage',
      'hugepages-2Mi',
      'count/pods',
    ];
    expect(evaluatorOf('pods').matchingResources(names)).to.deep.equal([
      'cpu',
      'requests.x.io/gpu',
      'hugepages-2Mi',
      'count/pods',
    ]);
    expect(evaluatorOf('persistentvolumeclaims').matchingResources(names)).to.deep.equal([
      'gold.storageclass.storage.k8s.io/requests.storage',
    ]);
  });

  it('must be said by containers', () => {
    const pod = (containers: readonly object[], resources?: object): KubeObject => ({
      spec: { containers, ...(resources === undefined ? {} : { resources }) },
    });
    const constraint = (object: KubeObject): string | undefined =>
      evaluatorOf('pods').constraint?.(['requests.cpu', 'limits.memory', 'pods', 'requests.x.io/gpu'], object);
    expect(constraint(pod([container('b', { cpu: '1' }), container('a')]))).to.equal(
      'must specify limits.memory for: a,b; requests.cpu for: a',
    );
    expect(constraint(pod([container('a', { cpu: '1' }, { memory: '1' })]))).to.equal(undefined);
    expect(constraint(pod([container('a')], { requests: { cpu: '1' } }))).to.equal(undefined);
  });

  const scopes: readonly (readonly [
    scope: string,
    operator: string,
    values: readonly string[] | undefined,
    spec: object,
    matches: boolean,
  ])[] = [
    ['Terminating', 'Exists', undefined, { activeDeadlineSeconds: 5 }, true],
    ['NotTerminating', 'Exists', undefined, { activeDeadlineSeconds: 5 }, false],
    ['BestEffort', 'Exists', undefined, { containers: [container('c')] }, true],
    ['NotBestEffort', 'Exists', undefined, { containers: [container('c', { cpu: '1' })] }, true],
    ['PriorityClass', 'In', ['high'], { priorityClassName: 'high' }, true],
    ['PriorityClass', 'NotIn', ['high'], {}, true],
    ['PriorityClass', 'Exists', undefined, {}, false],
    [
      'CrossNamespacePodAffinity',
      'Exists',
      undefined,
      {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, podAffinityTerm: { topologyKey: 'x', namespaceSelector: {} } },
            ],
          },
        },
      },
      true,
    ],
    [
      'CrossNamespacePodAffinity',
      'Exists',
      undefined,
      { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'x' }] } } },
      false,
    ],
  ];
  for (const [scopeName, operator, values, spec, matches] of scopes) {
    it(`scope ${scopeName} ${operator} ${matches ? 'has' : 'does not have'} ${JSON.stringify(spec)}`, () => {
      expect(
        evaluatorOf('pods').matchesScope(
          { scopeName, operator, ...(values === undefined ? {} : { values }) },
          { spec: { containers: [], ...spec } },
        ),
      ).to.equal(matches);
    });
  }

  it('changes with updates that move a pod into another scope', () => {
    const asked = (spec: object, old: object): boolean =>
      evaluatorOf('pods').handles({
        operation: 'UPDATE',
        subresource: '',
        object: { spec },
        oldObject: { spec: old },
      } as Partial<QuotaWrite> as QuotaWrite);
    expect(asked({ activeDeadlineSeconds: 5 }, {})).to.equal(true);
    expect(asked({}, {})).to.equal(false);
  });
});
