import { FieldPath, required } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { PodSpec } from '@kubechain/apimachinery/types/core/v1';
import { FeatureGates } from '@kubechain/apiserver/options';
import { internalContext } from '@kubechain/apiserver/resources';
import type { Strategy } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { statefulSetStrategy } from '../../../apps/statefulset/strategy.ts';
import { jobStrategy } from '../../../batch/job/strategy.ts';
import { capabilitiesOf } from '../../../capabilities.ts';
import type { Capabilities } from '../../../capabilities.ts';
import { podTemplateStrategy } from '../../podtemplate/strategy.ts';
import { forgiving, type StoredPod } from './kept-mistakes.ts';

const capabilities = capabilitiesOf({ allowPrivileged: true });
const context = internalContext({ groupResource: { group: '', resource: 'podtemplates' }, namespace: 'default' });

const container = {
  name: 'c',
  image: 'i',
  imagePullPolicy: 'Always',
  terminationMessagePolicy: 'File',
};
const spec = (more: object): object => ({
  containers: [container],
  restartPolicy: 'Always',
  dnsPolicy: 'Default',
  terminationGracePeriodSeconds: 30,
  ...more,
});
const podTemplate = (more: object, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 't', namespace: 'default' },
  template: { metadata: { labels: { a: 'b' }, annotations }, spec: spec(more) },
});

const told = (errors: ReturnType<NonNullable<Strategy['validate']>> | undefined): string[] =>
  ((errors ?? []) as readonly FieldError[]).map(String);
const created = (strategy: Strategy, object: KubeObject): string[] => told(strategy.validate?.(object, context));
const updated = (strategy: Strategy, object: KubeObject, old: KubeObject): string[] =>
  told(strategy.validateUpdate?.(object, old, context));

const noLabel = 'no label\u00e9';
const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: [noLabel] }] };
const nodes = { matchExpressions: [{ key: 'a', operator: 'In', values: [noLabel] }] };
const huge = { limits: { 'hugepages-2Mi': '3Mi', cpu: '1' }, requests: { 'hugepages-2Mi': '3Mi', cpu: '1' } };

describe('mistakes that a stored pod has', () => {
  const rows: Readonly<Record<string, Partial<Record<keyof PodSpec, unknown>>>> = {
    'values of selectors in affinity': {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: selector, topologyKey: 'zone' }],
        },
      },
    },
    'values of nodes that are required': {
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodes] } },
      },
    },
    'selectors of constraints of spreading': {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: selector },
      ],
    },
    'parts of huge pages': { containers: [{ ...container, resources: huge }] },
    'parts of huge pages in overhead': { overhead: { 'hugepages-2Mi': '3Mi', cpu: '1' } },
    'paths of tokens that leave the volume': {
      serviceAccountName: 's',
      volumes: [
        {
          name: 'v',
          projected: {
            defaultMode: 420,
            sources: [{ serviceAccountToken: { path: '../t', expirationSeconds: 3600 } }],
          },
        },
      ],
    },
    'sysctls of a network that is the host’s': {
      hostNetwork: true,
      securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] },
    },
    'devices of users that are not the host’s': {
      hostUsers: false,
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
      containers: [{ ...container, volumeDevices: [{ name: 'v', devicePath: '/d' }] }],
    },
    'restarts of init containers on resize': {
      initContainers: [
        { ...container, name: 'first', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
      ],
    },
    'operators of tolerations whose feature is off': {
      tolerations: [{ key: 'a', operator: 'Gt', value: '1' }],
    },
    'a policy of SELinux whose feature is off': { securityContext: { seLinuxChangePolicy: 'MountOption' } },
  };
  const off = capabilitiesOf({
    allowPrivileged: true,
    gates: new FeatureGates(
      new Map([
        ['TaintTolerationComparisonOperators', 'false'],
        ['SELinuxMount', 'false'],
      ]),
    ),
  });
  const strategy = podTemplateStrategy(off);

  for (const [name, more] of Object.entries(rows)) {
    it(`stay in an update, and come with none: ${name}`, () => {
      const errors = created(strategy, podTemplate(more));
      expect(errors).to.not.deep.equal([]);
      expect(updated(strategy, podTemplate(more), podTemplate({}))).to.deep.equal(errors);
      expect(updated(strategy, podTemplate({ ...more, nodeSelector: { x: 'y' } }), podTemplate(more))).to.deep.equal(
        [],
      );
    });
  }

  it('stay in an update, and come with none: costs of deletion that are no numbers', () => {
    const wrong = podTemplate({}, { 'controller.kubernetes.io/pod-deletion-cost': 'much' });
    expect(created(strategy, wrong)).to.have.length(1);
    expect(updated(strategy, wrong, podTemplate({}))).to.have.length(1);
    expect(updated(strategy, wrong, wrong)).to.deep.equal([]);
  });

  it('excuse no others', () => {
    const wrong = podTemplate(rows['parts of huge pages']!);
    const worse = podTemplate({ ...rows['parts of huge pages'], ...rows['values of nodes that are required'] });
    expect(updated(strategy, worse, wrong)).to.have.length(1);
    expect(updated(strategy, worse, wrong)[0]).to.include('nodeAffinity');
  });

  it('are looked for once, however many containers there are', () => {
    const many = (count: number): KubeObject =>
      podTemplate({
        containers: Array.from({ length: count }, (_, i) => ({ ...container, name: `c${i}`, resources: huge })),
      });
    const cost = (count: number): number => {
      const object = many(count);
      const started = process.cpuUsage();
      expect(updated(strategy, object, object)).to.deep.equal([]);
      const { system, user } = process.cpuUsage(started);
      return system + user;
    };
    cost(500);
    // Each with each would be sixteen times as much.
    expect(Math.min(cost(8_000), cost(8_000))).to.be.lessThan(10 * Math.max(cost(2_000), 20_000));
  });
});

describe('forgiving', () => {
  const mistaken = { spec: spec({ overhead: { 'hugepages-2Mi': '3Mi' } }) as PodSpec };
  const calls = (old: StoredPod | undefined, asks: (of: Capabilities) => boolean): number => {
    let times = 0;
    const errors = forgiving(capabilities, old, (of) => {
      times++;
      return asks(of) ? [] : [required(FieldPath.of('spec'))];
    });
    expect(errors).to.have.length(times === 2 ? 0 : 1);
    return times;
  };

  it('looks again only where the stored pod has what was asked for', () => {
    const asksForPages = (of: Capabilities): boolean => of.forgives('parts of huge pages');
    expect(calls(mistaken, asksForPages)).to.equal(2);
    expect(calls({ spec: spec({}) as PodSpec }, asksForPages)).to.equal(1);
    expect(calls(undefined, asksForPages)).to.equal(1);
    expect(calls(mistaken, (of) => of.forgives('token paths'))).to.equal(1);
    expect(calls(mistaken, () => false)).to.equal(1);
  });

  it('does so for features that are off and in use', () => {
    const host = { spec: spec({ hostNetwork: true, hostUsers: false }) as PodSpec };
    const asks = (of: Capabilities): boolean => of.enabled('UserNamespacesHostNetworkSupport');
    expect([calls(host, asks), calls(mistaken, asks)]).to.deep.equal([2, 1]);
  });
});

describe('a stateful set whose stored template is malformed by now', () => {
  const set = (more: object, replicas = 1): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 's', namespace: 'default' },
    spec: {
      replicas,
      serviceName: 's',
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'OnDelete' },
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: spec(more) },
    },
  });
  const strategy = statefulSetStrategy(capabilities);

  it('is updated whatever the template is', () => {
    const wrong = set({ containers: [{ ...container, image: '' }] });
    expect(created(strategy, wrong)).to.have.length(1);
    expect(updated(strategy, wrong, set({}))).to.have.length(1);
    expect(updated(strategy, set({ containers: [{ ...container, image: '' }] }, 2), wrong)).to.deep.equal([]);
  });

  it('is looked into where what is wrong is forgiven', () => {
    const forgiven = set({ containers: [{ ...container, resources: huge }] });
    const worse = set({ containers: [{ ...container, resources: huge, image: '' }] });
    expect(updated(strategy, worse, forgiven)).to.have.length(1);
  });
});

describe('a selector of a stored job', () => {
  it('keeps values that no label can have', () => {
    const job = (labels: object): KubeObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j', namespace: 'default', uid: 'u' },
      spec: {
        manualSelector: true,
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        podReplacementPolicy: 'Failed',
        selector: { matchExpressions: [{ key: 'a', operator: 'NotIn', values: [noLabel] }] },
        template: { metadata: { labels }, spec: spec({ restartPolicy: 'Never' }) },
      },
    });
    const strategy = jobStrategy(capabilities);
    expect(created(strategy, job({ a: 'b' })).join()).to.include('spec.selector.matchExpressions');
    expect(updated(strategy, job({ a: 'b' }), job({ a: 'b' }))).to.deep.equal([]);
  });
});
