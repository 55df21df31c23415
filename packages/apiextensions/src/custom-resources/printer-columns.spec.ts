import { limits } from '@kubechain/apimachinery';
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

  it('look at no more values of one object than columnSteps, all together', () => {
    const everywhere = Array.from({ length: 200 }, () => '..a[?(@..b==@..c)]..d');
    const { cells } = tableOf(['.spec.first', '..last', ...everywhere, '.spec.last']).row(object);
    expect(cells.slice(0, 3)).to.deep.equal(['n', 'x', 'y']);
    expect(cells.at(-1), 'beyond the last step').to.equal(null);
    expect(limits.columnSteps.value, 'what the columns between would take').to.be.lessThan(200 * items.length * 10);
  });
});
