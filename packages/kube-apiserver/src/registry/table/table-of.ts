import { defaultTable } from '@kubechain/apiserver/resources';
import type { PrintedRow, TableCell, TableColumnDefinition, TableConvertor } from '@kubechain/apiserver/resources';
import { builtinRelease } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import columnsByKind from '../generated/table-columns.json' with { type: 'json' };
import type { RowPrinter } from './printer.ts';

type Columns = ReadonlyMap<string, readonly TableColumnDefinition[]>;
const byRelease = new WeakMap<Release, Columns>();

function columnsOf(release: Release): Columns {
  let columns = byRelease.get(release);
  if (columns === undefined)
    byRelease.set(release, (columns = new Map(release.table('printedColumns', Object.entries(columnsByKind)))));
  return columns;
}

/**
 * How objects of a built-in kind print: the reference's columns and cells, or name and creation time for kinds that
 * it prints so (roles, limit ranges, storage capacities). Objects are in the resource's memory version.
 */
export function tableOf(
  kind: string,
  row: RowPrinter | undefined,
  release: Release = builtinRelease,
  compare?: TableConvertor['compare'],
): TableConvertor {
  const columns = columnsOf(release).get(kind);
  if (row === undefined || columns === undefined) return defaultTable;
  // Decoding has checked that the object has the kind's shape.
  return {
    columns,
    row: (object) => printed(row(object as never, release)),
    ...(compare === undefined ? {} : { compare }),
  };
}

function printed(row: readonly TableCell[] | PrintedRow): PrintedRow {
  return 'cells' in row ? row : { cells: row };
}
