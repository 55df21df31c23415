import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { dropUndeclared, validateDeclared } from './declared.ts';

const workload = (template: object, version = 'v1alpha2'): KubeObject => ({
  apiVersion: `scheduling.k8s.io/${version}`,
  kind: 'Workload',
  metadata: { name: 'w' },
  spec: { podGroupTemplates: [template] },
});
const told = (object: KubeObject, old?: KubeObject, gates: readonly string[] = []): string[] =>
  validateDeclared(object, old, { hasGate: (gate) => gates.includes(gate), only: 'spec' }).map(String);
const basic = { name: 'a', schedulingPolicy: { basic: {} } };

/** Texts of kube-apiserver 1.36.2 with all gates. */
describe('validateDeclared', () => {
  it('takes what fits', () => {
    expect(told(workload(basic))).to.deep.equal([]);
  });

  it('wants what is required, and one member of a union', () => {
    expect(told({ ...workload(basic), spec: {} })).to.deep.equal(['spec.podGroupTemplates: Required value']);
    expect(told(workload({ name: 'a', schedulingPolicy: {} }))).to.deep.equal([
      'spec.podGroupTemplates[0].schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`',
    ]);
    expect(told(workload({ name: 'a', schedulingPolicy: { basic: {}, gang: { minCount: 1 } } }))).to.deep.equal([
      'spec.podGroupTemplates[0].schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: ' +
        '`basic`, `gang`',
    ]);
  });

  it('looks at bounds and numbers of items', () => {
    expect(told(workload({ name: 'a', schedulingPolicy: { gang: { minCount: -1 } } }))).to.deep.equal([
      'spec.podGroupTemplates[0].schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or equal to 1',
    ]);
    const nine = Array.from({ length: 9 }, (_item, i) => ({ ...basic, name: `n${i}` }));
    expect(told({ ...workload(basic), spec: { podGroupTemplates: nine } })).to.deep.equal([
      'spec.podGroupTemplates: Too many: 9: must have at most 8 items',
    ]);
  });

  it('refuses changes of what may not change, and leaves alone what has not', () => {
    const old = workload({ name: 'a', schedulingPolicy: {} });
    expect(told(structuredClone(old), old)).to.deep.equal([]);
    expect(told(workload(basic), old)).to.deep.equal([
      'spec.podGroupTemplates: Invalid value: null: field is immutable',
    ]);
    expect(told(workload({ ...basic, name: 'b' }, 'v1beta1'), workload(basic, 'v1beta1'))).to.deep.equal([
      'spec.podGroupTemplates[0]: Forbidden: item may not be added',
      'spec.podGroupTemplates: Forbidden: item may not be removed',
    ]);
  });

  it('goes by feature gates', () => {
    const asks = workload({ ...basic, priority: 1 });
    expect(told(asks)).to.deep.equal(['spec.podGroupTemplates[0].priority: Forbidden']);
    expect(told(asks, undefined, ['WorkloadAwarePreemption'])).to.deep.equal([]);
  });
});

describe('dropUndeclared', () => {
  it('takes out what a gate that is off brought, unless it was there', () => {
    const object = workload({ ...basic, priority: 1 });
    dropUndeclared(object, structuredClone(object), () => false);
    expect(object).to.deep.equal(workload({ ...basic, priority: 1 }));
    dropUndeclared(object, undefined, () => false);
    expect(object).to.deep.equal(workload(basic));
  });
});
