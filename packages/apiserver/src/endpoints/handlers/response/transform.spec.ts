import { builtinScheme } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { RequestScope } from '../request-scope.ts';
import { encodeTable } from './encode-table.ts';
import { encodePartialMetadata } from './transform.ts';

describe('what an object is reduced to', () => {
  const scopeOf = (group: string, kind: string): RequestScope => {
    const gvk = { group, version: 'v1', kind };
    return {
      kind: gvk,
      kindInfo: builtinScheme().kind(gvk),
      apiVersion: group === '' ? 'v1' : `${group}/v1`,
      storage: {},
      clock: { now: () => 0 },
    } as unknown as RequestScope;
  };

  it('has no annotation that stands for a field', () => {
    const metadata = { name: 'd', annotations: { 'deprecated.daemonset.template.generation': '1' } };
    const reduced = (kind: string, more: object = {}): unknown =>
      (
        JSON.parse(
          encodePartialMetadata(
            scopeOf('apps', kind),
            { metadata: { ...metadata, annotations: { ...metadata.annotations, ...more } } },
            'v1',
          ).toString(),
        ) as { metadata: unknown }
      ).metadata;
    expect(reduced('DaemonSet')).to.deep.equal({ name: 'd' });
    expect(reduced('DaemonSet', { a: 'b' })).to.deep.equal({ name: 'd', annotations: { a: 'b' } });
    expect(reduced('Deployment')).to.deep.equal(metadata);
  });

  it('is null as a table of nothing where the kind has no columns of its own', async () => {
    const rows = async (table: object | undefined): Promise<unknown> => {
      const scope = { ...scopeOf('', 'LimitRange'), storage: table === undefined ? {} : { table } } as RequestScope;
      return (
        JSON.parse(
          (
            await encodeTable(scope, { records: [], includeObject: 'None', version: 'v1', metadata: {}, headers: true })
          ).toString(),
        ) as { rows: unknown }
      ).rows;
    };
    expect(await rows(undefined)).to.equal(null);
    expect(await rows({ columns: [], row: () => ({ cells: [] }) })).to.deep.equal([]);
  });
});
