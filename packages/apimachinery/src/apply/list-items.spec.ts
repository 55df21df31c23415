import { expect } from 'chai';
import { schemaFor } from '../schema/builtin.ts';
import { atomOf } from './atom.ts';
import type { ListAtom } from './atom.ts';
import { isAligned } from './list-items.ts';

describe('items of lists', () => {
  it('are the same with a default and without the key, but not with null for it', () => {
    const spec = atomOf(schemaFor('io.k8s.api.core.v1.ServiceSpec'));
    const ports = spec.map?.fields.get('ports')?.atom.list as ListAtom;
    const stored = [{ port: 1, protocol: 'TCP' }];
    expect([
      isAligned(ports, stored, [{ port: 1, protocol: 'TCP' }]),
      isAligned(ports, stored, [{ port: 1 }]),
      isAligned(ports, stored, [{ port: 1, protocol: null }]),
    ]).to.deep.equal([true, true, false]);
  });
});
