import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { TableConvertor } from '../../../table/table-convertor.ts';
import type { RequestScope } from '../request-scope.ts';
import { encodeTable } from './encode-table.ts';

const rowsOf = async (compare?: TableConvertor['compare']): Promise<unknown> => {
  const table: TableConvertor = {
    columns: [],
    row: ({ metadata }) => ({ cells: [metadata?.name ?? ''] }),
    ...(compare === undefined ? {} : { compare }),
  };
  const scope = { storage: { table }, clock: { now: () => 0 } } as unknown as RequestScope;
  const records: KubeObject[] = ['b', 'c', 'a'].map((name) => ({ metadata: { name } }));
  const encoded = await encodeTable(scope, {
    records,
    includeObject: 'None',
    version: 'v1',
    metadata: {},
    headers: false,
  });
  const { rows } = JSON.parse(encoded.toString()) as { rows: { cells: string[] }[] };
  return rows.map(({ cells }) => cells[0]);
};

describe('encodeTable', () => {
  it('has rows in the order of the list, or in that of the kind', async () => {
    expect(await rowsOf()).to.deep.equal(['b', 'c', 'a']);
    expect(await rowsOf((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1))).to.deep.equal([
      'a',
      'b',
      'c',
    ]);
  });
});
