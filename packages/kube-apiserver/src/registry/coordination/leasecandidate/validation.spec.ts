import { expect } from 'chai';
import { validateLeaseCandidate, validateLeaseCandidateUpdate } from './validation.ts';
import type { LeaseCandidateSpec } from './lease-candidate.ts';

describe('rules of candidates for leases', () => {
  const good = {
    leaseName: 'l',
    binaryVersion: '1.36.0',
    emulationVersion: '1.35.0',
    strategy: 'OldestEmulationVersion',
  };
  const candidate = (spec: LeaseCandidateSpec): { spec: LeaseCandidateSpec } => ({ spec });
  const rows: readonly (readonly [change: LeaseCandidateSpec, errors: readonly string[]])[] = [
    [{}, []],
    [{ emulationVersion: '1.36.0-alpha.2+build', binaryVersion: '1.36.0-alpha.10' }, []],
    [{ strategy: 'example.com/own', emulationVersion: '' }, []],
    [{ leaseName: '' }, ['spec.leaseName: Required value']],
    [{ binaryVersion: '' }, ['spec.binaryVersion: Required value']],
    [{ strategy: '' }, ['spec.strategy: Required value']],
    [
      { binaryVersion: '1.34.0' },
      ['spec.binaryVersion: Invalid value: "1.34.0": must be greater than or equal to `emulationVersion`'],
    ],
    [
      { emulationVersion: '' },
      ["spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'"],
    ],
    [
      { strategy: 'Newest' },
      ['spec.strategy.strategy: Unsupported value: "Newest": supported values: "OldestEmulationVersion"'],
    ],
    [
      { binaryVersion: '1.36' },
      [
        'spec.binaryVersion: Invalid value: "1.36": must be a valid semantic version',
        'spec.binaryVersion: Invalid value: "1.36": must be greater than or equal to `emulationVersion`',
      ],
    ],
  ];
  for (const [change, errors] of rows) {
    it(`${errors.length === 0 ? 'takes' : 'refuses'} ${JSON.stringify(change)}`, () => {
      expect(validateLeaseCandidate(candidate({ ...good, ...change })).map(String)).to.deep.equal(errors);
    });
  }

  it('keeps a candidate to its lease', () => {
    const errors = validateLeaseCandidateUpdate(candidate({ ...good, leaseName: 'other' }), candidate(good));
    expect(errors.map(String)).to.deep.equal(['spec.leaseName: Invalid value: "other": field is immutable']);
  });
});
