import { defaultTable } from '@kubechain/apiserver/resources';
import type { PrintedRow, TableCell, TableColumnDefinition, TableConvertor } from '@kubechain/apiserver/resources';
import type { KubeObject } from '@kubechain/apimachinery';
import columnsByKind from '../generated/table-columns.json' with { type: 'json' };
import type { RowPrinter } from './printer.ts';

const definitions = new Map<string, readonly TableColumnDefinition[]>(Object.entries(columnsByKind));

/**
 * How objects of a built-in kind print: the reference's columns and cells, or name and creation time for kinds that
 * it prints so (roles, limit ranges, storage capacities). Objects are in the resource's memory version.
 */
export function tableOf(kind: string, row: RowPrinter | undefined): TableConvertor {
  const columns = definitions.get(kind);
  if (row === undefined || columns === undefined) return defaultTable;
  return { columns, row: (object) => printed((row as (object: KubeObject) => ReturnType<RowPrinter>)(object)) };
}

function printed(row: readonly TableCell[] | PrintedRow): PrintedRow {
  return 'cells' in row ? row : { cells: row };
}
