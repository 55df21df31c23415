import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import type { ValidatingAdmissionPolicy } from '@kubechain/apimachinery/types/admissionregistration/v1';
import { expect } from 'chai';
import type { ControllerContext } from '../controller/controller.ts';
import type { InformerHandlers } from '../informers/shared-informer.ts';
import { PolicyStatusController } from './policy-status-controller.ts';

const policy: ValidatingAdmissionPolicy = {
  metadata: { name: 'p', generation: 1 },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['new'], apiVersions: ['v1'], operations: ['*'], resources: ['widgets'] }],
    },
    validations: [{ expression: 'object.spec.none == 1' }],
  },
};
const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  'x-kubernetes-group-version-kind': [{ group: 'new', version: 'v1', kind: 'Widget' }],
};

describe('PolicyStatusController', () => {
  const begin = async () => {
    const clock = new FakeClock();
    const told: ValidatingAdmissionPolicy['status'][] = [];
    const paths: Record<string, object> = { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1' } };
    const context = {
      client: {
        json: ({ path }: { readonly path: string }) =>
          Promise.resolve(path === '/openapi/v3' ? { paths } : { components: { schemas: { Widget: schema } } }),
        resource: () => ({
          apply: ({ status }: ValidatingAdmissionPolicy) => Promise.resolve(told.push(status)),
        }),
      },
      informers: {
        informer: () => ({
          waitForSync: () => Promise.resolve(),
          get: () => policy,
          addHandlers: ({ onAdd }: InformerHandlers<ValidatingAdmissionPolicy>) => onAdd?.(policy),
        }),
      },
      discovery: {
        allResources: () => Promise.resolve({ resources: [{ ...kind, resource: 'widgets' }], failed: new Map() }),
      },
      clock,
      log: { error: () => undefined },
      flags: { concurrency: { 'concurrent-validating-admission-policy-status-syncs': 1 } },
    } as unknown as ControllerContext;
    const kind = { group: 'new', version: 'v1', kind: 'Widget' };
    const stop = new AbortController();
    const running = new PolicyStatusController(context).run(stop.signal);
    // The first look loads what checks expressions.
    await import('./check-policy.ts');
    await settle();
    return {
      clock,
      told,
      publish: () => (paths['apis/new/v1'] = { serverRelativeURL: '/openapi/v3/apis/new/v1?hash=1' }),
      end: async () => {
        stop.abort();
        await running;
      },
    };
  };

  it('checks a policy when a document tells of the kind that is served', async () => {
    const { clock, told, publish, end } = await begin();
    await clock.advance(1_000);
    expect(told).to.deep.equal([]);
    publish();
    await clock.advance(2_000);
    await settle();
    expect(told.map((status) => status?.typeChecking?.expressionWarnings?.length)).to.deep.equal([1]);
    await end();
  });

  it('waits for no longer than 82 s: extension API servers need not publish any', async () => {
    const { clock, told, end } = await begin();
    for (let i = 0; i < 80; i++) await clock.advance(1_000);
    expect(told).to.deep.equal([]);
    for (let i = 0; i < 4; i++) await clock.advance(1_000);
    expect(told).to.deep.equal([{ observedGeneration: 1, typeChecking: {} }]);
    await end();
  });
});
