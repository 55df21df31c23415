import { Quantity, type KubeObject } from '@kubechain/apimachinery';
import { StorageError } from '@kubechain/shared-storage';
import { expect } from 'chai';
import type { AdmissionAttributes } from '../admission.ts';
import { plainObjects } from '../plain-objects.ts';
import { Reinvocation } from '../reinvocation.ts';
import type { QuotaEvaluator } from '@kubechain/component-helpers';
import type { StoredQuota } from './quota-source.ts';
import { ResourceQuota } from './resource-quota.ts';

/** Widgets use what their spec says, and have a scope by its name. */
const widgets: QuotaEvaluator = {
  handles: ({ subresource }) => subresource === '',
  matchingResources: (names) => names.filter((name) => name === 'size' || name === 'widgets'),
  matchesScope: ({ scopeName }, object) => (object['spec'] as { scope?: string }).scope === scopeName,
  constraint: (required, object) =>
    required.includes('size') && (object['spec'] as { size?: string }).size === undefined
      ? 'must specify size'
      : undefined,
  usage: (object) =>
    new Map([
      ['size', Quantity.parse((object['spec'] as { size?: string }).size ?? '0')],
      ['widgets', Quantity.parse('1')],
    ]),
};

const quota = (
  name: string,
  hard: Record<string, string>,
  used: Record<string, string> | undefined,
  spec: StoredQuota['spec'] = {},
): StoredQuota => ({
  metadata: { name, namespace: 'ns' },
  spec,
  status: { hard, ...(used === undefined ? {} : { used }) },
});
const attributes = (spec: object, more: Partial<AdmissionAttributes> = {}): AdmissionAttributes => ({
  operation: 'CREATE',
  kind: { group: 'x.io', version: 'v1', kind: 'Widget' },
  resource: { group: 'x.io', version: 'v1', resource: 'widgets' },
  subresource: '',
  namespace: 'ns',
  name: 'w',
  object: { metadata: { name: 'w' }, spec },
  oldObject: undefined,
  options: undefined,
  dryRun: false,
  auditID: '',
  user: { name: 'u', groups: [] },
  objects: plainObjects,
  reinvocation: new Reinvocation(),
  addWarning: () => undefined,
  addAuditAnnotation: () => undefined,
  signal: new AbortController().signal,
  ...more,
});

/** Quotas as they are stored, and as a follower saw them last. */
function quotas(
  stored: readonly StoredQuota[],
  seen: readonly StoredQuota[] = stored,
): { readonly used: () => Record<string, unknown>; readonly admit: (asked: AdmissionAttributes) => Promise<string> } {
  const current = new Map(stored.map((each) => [each.metadata?.name ?? '', each]));
  const plugin = new ResourceQuota({
    evaluators: new Map([['widgets.x.io', widgets]]),
    quotas: {
      hasSynced: true,
      waitForSync: () => Promise.resolve(),
      of: () => seen,
      async charge(_namespace, name, charge) {
        await Promise.resolve();
        const now = current.get(name);
        if (now === undefined) throw new StorageError('KeyNotFound', 'key not found', { key: name });
        const used = charge(now);
        if (used !== undefined) current.set(name, { ...now, status: { ...now.status, used } });
      },
    },
  });
  return {
    used: () => Object.fromEntries([...current].map(([name, { status }]) => [name, status?.used])),
    async admit(asked) {
      try {
        await plugin.validate(asked);
        return 'admitted';
      } catch (error) {
        return (error as Error).message;
      }
    },
  };
}

describe('ResourceQuota', () => {
  it('charges all quotas that limit an object', async () => {
    const { admit, used } = quotas([
      quota('a', { size: '10' }, { size: '3' }),
      quota('b', { widgets: '2' }, { widgets: '1' }),
      quota('c', { pods: '1' }, { pods: '1' }),
    ]);
    expect(await admit(attributes({ size: '4' }))).to.equal('admitted');
    expect(used()).to.deep.equal({ a: { size: '7' }, b: { widgets: '2' }, c: { pods: '1' } });
  });

  it('charges none when one is exceeded', async () => {
    const { admit, used } = quotas([
      quota('a', { size: '10' }, { size: '3' }),
      quota('b', { widgets: '1', size: '9' }, { widgets: '1', size: '3' }),
    ]);
    expect(await admit(attributes({ size: '7' }))).to.equal(
      'widgets.x.io "w" is forbidden: exceeded quota: b, requested: size=7,widgets=1, used: size=3,widgets=1, ' +
        'limited: size=9,widgets=1',
    );
    expect(used()).to.deep.equal({ a: { size: '3' }, b: { widgets: '1', size: '3' } });
  });

  it('looks at a quota as it is, not as it was seen', async () => {
    const { admit, used } = quotas(
      [quota('a', { size: '10' }, { size: '9' })],
      [quota('a', { size: '10' }, { size: '0' })],
    );
    expect(await admit(attributes({ size: '4' }))).to.contain(
      'exceeded quota: a, requested: size=4, used: size=9, limited: size=10',
    );
    expect(used()).to.deep.equal({ a: { size: '9' } });
    expect(await quotas([], [quota('gone', { size: '1' }, { size: '0' })]).admit(attributes({ size: '1' }))).to.equal(
      'admitted',
    );
  });

  it('charges what an update adds, and nothing for less', async () => {
    const { admit, used } = quotas([quota('a', { size: '10' }, { size: '6' })]);
    const oldObject: KubeObject = { metadata: { name: 'w', resourceVersion: '5' }, spec: { size: '4' } };
    expect(await admit(attributes({ size: '6' }, { operation: 'UPDATE', oldObject }))).to.equal('admitted');
    expect(used()).to.deep.equal({ a: { size: '8' } });
    expect(await admit(attributes({ size: '1' }, { operation: 'UPDATE', oldObject }))).to.equal('admitted');
    expect(used()).to.deep.equal({ a: { size: '8' } });
  });

  it('charges in full what comes into a scope', async () => {
    const { admit, used } = quotas([quota('a', { size: '10' }, { size: '0' }, { scopes: ['blue'] })]);
    expect(await admit(attributes({ size: '3', scope: 'red' }))).to.equal('admitted');
    expect(used()).to.deep.equal({ a: { size: '0' } });
    expect(
      await admit(
        attributes(
          { size: '3', scope: 'blue' },
          { operation: 'UPDATE', oldObject: { metadata: { resourceVersion: '5' }, spec: { size: '3', scope: 'red' } } },
        ),
      ),
    ).to.equal('admitted');
    expect(used()).to.deep.equal({ a: { size: '3' } });
  });

  it('writes nothing in a dry run', async () => {
    const { admit, used } = quotas([quota('a', { size: '10' }, { size: '3' })]);
    expect(await admit(attributes({ size: '4' }, { dryRun: true }))).to.equal('admitted');
    expect(await admit(attributes({ size: '8' }, { dryRun: true }))).to.contain('exceeded quota: a');
    expect(used()).to.deep.equal({ a: { size: '3' } });
  });

  const refusals: readonly (readonly [name: string, stored: StoredQuota, spec: object, message: string])[] = [
    [
      'what does not say what it uses',
      quota('a', { size: '1' }, { size: '0' }),
      {},
      'failed quota: a: must specify size',
    ],
    [
      'anything while usage is not known',
      quota('a', { size: '1', widgets: '1' }, undefined),
      { size: '1' },
      'status unknown for quota: a, resources: size,widgets',
    ],
    [
      'less than nothing',
      quota('a', { size: '1' }, { size: '0' }),
      { size: '-1' },
      'quota usage is negative for resource(s): size',
    ],
  ];
  for (const [name, stored, spec, message] of refusals)
    it(`refuses ${name}`, async () => {
      expect(await quotas([stored]).admit(attributes(spec))).to.equal(`widgets.x.io "w" is forbidden: ${message}`);
    });

  it('counts objects of any resource', async () => {
    const resource = { group: 'y.io', version: 'v1', resource: 'gadgets' };
    const { admit, used } = quotas([quota('a', { 'count/gadgets.y.io': '1' }, { 'count/gadgets.y.io': '0' })]);
    expect(await admit(attributes({}, { resource }))).to.equal('admitted');
    expect(used()).to.deep.equal({ a: { 'count/gadgets.y.io': '1' } });
    expect(await admit(attributes({}, { resource }))).to.contain(
      'exceeded quota: a, requested: count/gadgets.y.io=1, used: count/gadgets.y.io=1, limited: count/gadgets.y.io=1',
    );
    expect(await admit(attributes({}, { resource, operation: 'UPDATE', oldObject: {} }))).to.equal('admitted');
  });

  it('leaves events and reviews alone', async () => {
    const full = quota('a', { 'count/events': '0' }, { 'count/events': '0' });
    expect(
      await quotas([full]).admit(attributes({}, { resource: { group: '', version: 'v1', resource: 'events' } })),
    ).to.equal('admitted');
  });

  it('lets others be served between two quotas, and reads what is charged of each', async () => {
    const hard = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`requests.example.com/n${i}`, '1k']));
    const { admit, used } = quotas(
      Array.from({ length: 20 }, (_, i) => quota(`q${i}`, { ...hard, widgets: '9' }, { ...hard, widgets: '3' })),
    );
    let turns = 0;
    const rest = () => {
      turns++;
      return undefined;
    };
    const asked = attributes({ size: '4' }, { objects: { ...plainObjects, rest }, dryRun: true });
    expect(await admit(asked)).to.equal('admitted');
    expect(turns).to.be.at.least(4 * 20);
    expect(await admit({ ...asked, dryRun: false })).to.equal('admitted');
    expect(Object.values(used()).map((amounts) => (amounts as Record<string, string>)['widgets'])).to.deep.equal(
      Array.from({ length: 20 }, () => '4'),
    );
  });
});
