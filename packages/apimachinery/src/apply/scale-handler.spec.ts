import { expect } from 'chai';
import type { ManagedFieldsEntry } from '../object/object.ts';
import { ScaleHandler } from './scale-handler.ts';

describe('ScaleHandler', () => {
  const paths = new Map<string, readonly string[] | null>([
    ['apps/v1', ['spec', 'replicas']],
    ['apps/v0', null],
  ]);
  const entry = (
    manager: string,
    apiVersion: string,
    fieldsV1: ManagedFieldsEntry['fieldsV1'],
    rest: Partial<ManagedFieldsEntry> = {},
  ): ManagedFieldsEntry => ({
    manager,
    operation: 'Update',
    apiVersion,
    time: '2023-11-14T22:13:20Z',
    fieldsType: 'FieldsV1',
    ...(fieldsV1 === undefined ? {} : { fieldsV1 }),
    ...rest,
  });
  const parent = [
    entry('a', 'apps/v1', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }),
    entry('b', 'apps/v1', { 'f:spec': { 'f:x': {} } }),
    entry('z', 'apps/v9', { 'f:spec': { 'f:replicas': {} } }),
  ];

  it('shows who owns the replicas, and takes the change back', () => {
    const handler = new ScaleHandler(parent, 'apps/v1', paths);
    expect(handler.toSubresource()).to.deep.equal([
      { ...parent[0], apiVersion: 'autoscaling/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ]);
    const back = handler.toParent([
      entry('s', 'autoscaling/v1', { 'f:spec': { 'f:replicas': {} } }, { subresource: 'scale' }),
    ]);
    expect(
      back?.map((e) => [e.manager, e.apiVersion, e.subresource, Object.keys(e.fieldsV1?.['f:spec'] ?? {})]),
    ).to.deep.equal([
      ['s', 'apps/v1', 'scale', ['f:replicas']],
      ['a', 'apps/v1', undefined, ['f:paused']],
      ['b', 'apps/v1', undefined, ['f:x']],
    ]);
  });
});
