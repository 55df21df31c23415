import { expect } from 'chai';
import { validateFormerWorkload, validateFormerWorkloadUpdate } from './former-validation.ts';
import type { FormerWorkload } from './former-validation.ts';

const workload = (spec: FormerWorkload['spec']): FormerWorkload => ({
  apiVersion: 'scheduling.k8s.io/v1alpha1',
  kind: 'Workload',
  metadata: { name: 'w' },
  ...(spec === undefined ? {} : { spec }),
});
const told = (spec: FormerWorkload['spec']): string[] => validateFormerWorkload(workload(spec)).map(String);

describe('workloads of 1.35', () => {
  it('have groups, each with one policy', () => {
    expect(told({ podGroups: [{ name: 'a', policy: { gang: { minCount: 1 } } }] })).to.deep.equal([]);
    expect(told({})).to.deep.equal(['spec.podGroups: Required value: must have at least one item']);
    expect(
      told({
        podGroups: [
          { name: 'a', policy: {} },
          { name: 'a', policy: { basic: {}, gang: {} } },
          { name: 'b', policy: { gang: {} } },
        ],
      }),
    ).to.deep.equal([
      'spec.podGroups[0].policy: Required value: exactly one of `basic`, `gang` is required',
      'spec.podGroups[1].name: Duplicate value: "a"',
      'spec.podGroups[1].policy: Invalid value: "{`basic`, `gang`}": exactly one of `basic`, `gang` is required, but ' +
        'multiple fields are set',
      'spec.podGroups[2].policy.gang.minCount: Invalid value: 0: must be greater than zero',
    ]);
  });

  it('name a controller whole, and keep it and their groups', () => {
    const group = { name: 'a', policy: { basic: {} } };
    const controllerRef = { kind: 'Job', name: 'j' };
    expect(told({ controllerRef: { kind: '' }, podGroups: [group] })).to.deep.equal([
      'spec.controllerRef.kind: Required value',
      'spec.controllerRef.name: Required value',
    ]);
    expect(
      validateFormerWorkloadUpdate(
        workload({ podGroups: [{ ...group, name: 'b' }] }),
        workload({ controllerRef, podGroups: [group] }),
      ).map(String),
    ).to.deep.equal([
      'controllerRef: Invalid value: null: field is immutable',
      'podGroups: Invalid value: [{"Name":"b","Policy":{"Basic":{},"Gang":null}}]: field is immutable',
    ]);
  });
});
