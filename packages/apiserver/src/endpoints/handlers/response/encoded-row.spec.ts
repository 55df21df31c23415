import { builtinScheme } from '@kubechain/apimachinery';
import { JSONRecord, parseJSONObject } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { AgeCell } from '../../../table/age-cell.ts';
import type { PrintedRow } from '../../../table/table-convertor.ts';
import type { RequestScope } from '../request-scope.ts';
import { encodeTable } from './encode-table.ts';
import { AgeTexts, encodeRow } from './encoded-row.ts';
import { RecordViews } from '../record-views.ts';

describe('rows of tables', () => {
  const printed: PrintedRow = {
    cells: ['"ä€', new AgeCell(0), 3, null, new AgeCell(60_000, { before: '2 "(', after: ' ago)' }), ['x']],
    conditions: [{ type: 'Completed', status: 'True' }],
  };
  const textAt = (nowMs: number): string => {
    const parts: Uint8Array[] = [];
    new AgeTexts(nowMs).append(parts, encodeRow(printed), true);
    return Buffer.concat(parts).toString();
  };

  it('have ages in their places, whatever stands around them', () => {
    const rowAt = (nowMs: number): unknown => JSON.parse(`${textAt(nowMs)}null}`);
    const { conditions } = printed;
    expect(rowAt(90_000)).to.deep.equal({
      cells: ['"ä€', '90s', 3, null, '2 "(30s ago)', ['x']],
      conditions,
      object: null,
    });
    expect(rowAt(7_200_000)).to.deep.equal({
      cells: ['"ä€', '120m', 3, null, '2 "(119m ago)', ['x']],
      conditions,
      object: null,
    });
  });

  it('are printed once for each version of an object, and age', async () => {
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
    let nowMs = 60_000;
    let printedRows = 0;
    const scope = {
      kind,
      kindInfo: builtinScheme().kind(kind),
      apiVersion: 'v1',
      servesRecords: true,
      recordPrefix: Buffer.from('{"kind":"ConfigMap","apiVersion":"v1",'),
      views: new RecordViews(),
      clock: { now: () => nowMs },
      storage: {
        table: {
          columns: [],
          row: ({ metadata }: { metadata?: { name?: string } }) => {
            printedRows++;
            return { cells: [metadata?.name, new AgeCell(0)] };
          },
        },
      },
    } as unknown as RequestScope;
    const attributes = { name: 'a', namespace: 'b', labels: undefined, fields: {} };
    const json = Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{}}');
    const record = new JSONRecord('/a', 1, { json, attributes, parse: parseJSONObject });
    const rows = async (includeObject: 'None' | 'Metadata' | 'Object'): Promise<unknown> =>
      (
        JSON.parse(
          (
            await encodeTable(scope, { records: [record], includeObject, version: 'v1', metadata: {}, headers: true })
          ).toString(),
        ) as { rows: unknown }
      ).rows;
    expect(await rows('None')).to.deep.equal([{ cells: ['a', '60s'], object: null }]);
    nowMs = 120_000;
    expect(await rows('Metadata')).to.deep.equal([
      {
        cells: ['a', '2m'],
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } },
      },
    ]);
    expect(await rows('Object')).to.deep.equal([
      { cells: ['a', '2m'], object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: {} } },
    ]);
    expect(printedRows).to.equal(1);
  });
});
