import { expect } from 'chai';
import type { ControllerRevision } from '@kubechain/apimachinery/types/apps/v1';
import { validateControllerRevision, validateControllerRevisionUpdate } from './validation.ts';

const revision = (data: unknown, number = 1): ControllerRevision =>
  ({ metadata: { name: 'r' }, revision: number, data }) as ControllerRevision;

describe('controller revisions', () => {
  it('hold an object', () => {
    expect(validateControllerRevision(revision({ a: 1 })).map(String)).to.deep.equal([]);
    expect(validateControllerRevision(revision(undefined, -1)).map(String)).to.deep.equal([
      'revision: Invalid value: -1: must be greater than or equal to 0',
      'data: Required value: data is mandatory',
    ]);
    expect(validateControllerRevision(revision('x')).map(String)).to.deep.equal([
      'data: Required value: data must be a valid JSON object',
    ]);
  });

  it('keep it; one that differs is printed as it was given', () => {
    expect(validateControllerRevisionUpdate(revision({ a: 1 }, 2), revision({ a: 1 })).map(String)).to.deep.equal([]);
    expect(validateControllerRevisionUpdate(revision({ z: 1, a: 2 }), revision({ a: 1 })).map(String)).to.deep.equal([
      'data: Invalid value: {"z":1,"a":2}: field is immutable',
    ]);
    expect(validateControllerRevisionUpdate(revision(null), revision({})).map(String)).to.deep.equal([
      'data: Invalid value: null: field is immutable',
    ]);
    expect(validateControllerRevisionUpdate(revision([]), revision({})).map(String)).to.deep.equal([
      'data: Invalid value: []: field is immutable',
    ]);
  });
});
