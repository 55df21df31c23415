import { limits, type KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { CRDVersion } from '../definition/crd-types.ts';
import { printerColumns } from './printer-columns.ts';

describe('printer columns of custom resources', () => {
  const tableOf = (jsonPaths: readonly string[]): ReturnType<typeof printerColumns> =>
    printerColumns({
      name: 'v1',
      additionalPrinterColumns: jsonPaths.map((jsonPath, i) => ({ name: `c${i}`, type: 'string', jsonPath })),
    } as unknown as CRDVersion);
  const items = Array.from({ length: 1_000 }, (_, i) => ({ a: [{ b: i, c: { b: [i] } }] }));
  const object = { apiVersion: 'v1', kind: 'Pump', metadata: { name: 'n' }, spec: { first: 'x', items, last: 'y' } };

  it('are found by their paths', () => {
    expect(tableOf(['.spec.first', '..last', '.none']).row(object).cells).to.deep.equal(['n', 'x', 'y', null]);
  });

  it('print integers of 64 bits as they are, and floats beyond them as Go converts them', () => {
    const table = printerColumns({
      name: 'v1',
      additionalPrinterColumns: ['.big', '.float', '.huge'].map((jsonPath) => ({
        name: jsonPath,
        type: 'integer',
        jsonPath,
      })),
    } as unknown as CRDVersion);
    const printed = table.row({ ...object, big: 9_007_199_254_740_993n, float: -2.7, huge: 1e21 } as KubeObject);
    expect(printed.cells).to.deep.equal(['n', 9_007_199_254_740_993n, -2, -(2n ** 63n)]);
  });

  it('look at no more values of one object than columnSteps, all together', () => {
    const everywhere = Array.from({ length: 200 }, () => '..a[?(@..b==@..c)]..d');
    const { cells } = tableOf(['.spec.first', '..last', ...everywhere, '.spec.last']).row(object);
    expect(cells.slice(0, 3)).to.deep.equal(['n', 'x', 'y']);
    expect(cells.at(-1), 'beyond the last step').to.equal(null);
    expect(limits.columnSteps.value, 'what the columns between would take').to.be.lessThan(200 * items.length * 10);
  });
});
