import { expect } from 'chai';
import type { KubeObject } from '../../object/object.ts';
import { builtinScheme } from '../builtin-scheme.ts';

function convert(object: KubeObject, apiVersion: string): KubeObject {
  const [group = '', version = ''] = apiVersion.split('/');
  return builtinScheme().convert(structuredClone(object), { group, version }) as KubeObject;
}

const selectorKey = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/** An object in a removed version, and in today's. */
const rows: readonly (readonly [what: string, old: KubeObject, today: KubeObject])[] = [
  [
    'a rollback',
    { apiVersion: 'extensions/v1beta1', kind: 'Deployment', spec: { rollbackTo: { revision: 7 } } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { annotations: { 'deprecated.deployment.rollback.to': '7' } },
      spec: {},
    },
  ],
  [
    'a rollback to the last revision',
    { apiVersion: 'apps/v1beta1', kind: 'Deployment', spec: { rollbackTo: {} } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { annotations: { 'deprecated.deployment.rollback.to': '0' } },
      spec: {},
    },
  ],
  [
    'the generation of a template',
    { apiVersion: 'extensions/v1beta1', kind: 'DaemonSet', spec: { templateGeneration: 4 } },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { annotations: { 'deprecated.daemonset.template.generation': '4' } },
      spec: {},
    },
  ],
  [
    'a selector of a Scale',
    {
      apiVersion: 'apps/v1beta2',
      kind: 'Scale',
      status: { replicas: 1, selector: { a: 'b', c: 'd' }, targetSelector: 'a=b,c=d' },
    },
    { apiVersion: 'autoscaling/v1', kind: 'Scale', status: { replicas: 1, selector: 'a=b,c=d' } },
  ],
  [
    'a selector of a Scale that is no map',
    { apiVersion: 'apps/v1beta2', kind: 'Scale', status: { replicas: 1, targetSelector: 'a in (b,c)' } },
    { apiVersion: 'autoscaling/v1', kind: 'Scale', status: { replicas: 1, selector: 'a in (b,c)' } },
  ],
  [
    'a budget of no pods',
    { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', spec: { selector: {} } },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      spec: { selector: { matchExpressions: [{ key: selectorKey, operator: 'Exists' }] } },
    },
  ],
  [
    'a budget of all pods',
    {
      apiVersion: 'policy/v1beta1',
      kind: 'PodDisruptionBudget',
      spec: { selector: { matchExpressions: [{ key: selectorKey, operator: 'DoesNotExist' }] } },
    },
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { selector: {} } },
  ],
  [
    'backends',
    {
      apiVersion: 'extensions/v1beta1',
      kind: 'Ingress',
      spec: {
        backend: { serviceName: 's', servicePort: 1 },
        rules: [{ host: 'a', http: { paths: [{ backend: { serviceName: 't', servicePort: 'http' } }] } }],
      },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      spec: {
        rules: [{ host: 'a', http: { paths: [{ backend: { service: { name: 't', port: { name: 'http' } } } }] } }],
        defaultBackend: { service: { name: 's', port: { number: 1 } } },
      },
    },
  ],
];

describe('removed versions of built-in kinds', () => {
  for (const [what, old, today] of rows) {
    it(`say ${what} otherwise than today's`, () => {
      expect(convert(old, today.apiVersion ?? '')).to.deep.equal(today);
    });

    it(`get ${what} back from today's`, () => {
      const { metadata, ...rest } = convert(today, old.apiVersion ?? '');
      expect(rest).to.deep.equal(old);
      expect(metadata ?? {}).to.deep.equal({});
    });
  }

  it('are converted into each other', () => {
    const [, old] = rows[7] ?? ['', {}];
    expect(convert(old, 'networking.k8s.io/v1beta1')).to.deep.equal({
      ...old,
      apiVersion: 'networking.k8s.io/v1beta1',
    });
  });

  it('never keep the label of a budget among others', () => {
    const matchExpressions = [
      { key: selectorKey, operator: 'Exists' },
      { key: 'a', operator: 'Exists' },
    ];
    const spec = { selector: { matchExpressions } };
    const budget = { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', spec };
    expect(convert(budget, 'policy/v1')['spec']).to.deep.equal({
      selector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
    });
  });
});
