import { expect } from 'chai';
import {
  validateFormerMigration,
  validateFormerMigrationStatus,
  validateFormerMigrationUpdate,
} from './former-validation.ts';
import type { FormerMigration } from './former-validation.ts';

const migration = (status?: FormerMigration['status'], resource: object = { resource: 'pods', version: 'v1' }) => ({
  apiVersion: 'storagemigration.k8s.io/v1alpha1',
  kind: 'StorageVersionMigration',
  metadata: { name: 'm' },
  spec: { resource },
  ...(status === undefined ? {} : { status }),
});
const condition = (type: string, status = 'True') => ({
  type,
  status,
  reason: 'R',
  lastUpdateTime: '2026-01-01T00:00:00Z',
});

describe('migrations of 1.34', () => {
  it('name a resource and a version, and keep them', () => {
    expect(validateFormerMigration(migration(undefined, {})).map(String)).to.deep.equal([
      'spec.resource.resource: Required value: resource is required',
      'spec.resource.version: Required value: version is required',
    ]);
    expect(
      validateFormerMigrationUpdate(migration(undefined, { resource: 'pods', version: 'v2' }), migration()).map(String),
    ).to.deep.equal(['version: Invalid value: "v2": field is immutable']);
  });

  it('end once, and begin at one version', () => {
    const told = (status: FormerMigration['status'], before?: FormerMigration['status']): string[] =>
      validateFormerMigrationStatus(migration(status), migration(before)).map((error) =>
        String(error).replace(/value: \[.*\]/, 'value'),
      );
    expect(told({ conditions: [condition('Running')], resourceVersion: '7' })).to.deep.equal([]);
    expect(told({ conditions: [condition('Succeeded'), condition('Running')] })).to.deep.equal([
      'status.conditions: Invalid value: Running condition cannot be true when success condition is true',
    ]);
    expect(told({ resourceVersion: 'x' }, { resourceVersion: '7', conditions: [condition('Failed')] })).to.deep.equal([
      'status.resourceVersion: Invalid value: "x": failed to parse resource version "x": strconv.ParseInt: parsing ' +
        '"x": invalid syntax',
      'status.resourceVersion: Invalid value: "x": field is immutable',
      'status.conditions: Invalid value: Failed condition cannot be set to false once it is true',
    ]);
  });
});
