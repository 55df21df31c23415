import type { KubeObject } from '@kubechain/apimachinery';
import type { AgeCell } from './age-cell.ts';

/** meta/v1 TableColumnDefinition. */
export interface TableColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** What a cell may hold. */
export type TableCell =
  | AgeCell
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly unknown[]
  | Readonly<Record<string, unknown>>;

/** meta/v1 TableRowCondition (`Completed` of finished pods and jobs). */
export interface TableRowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** One printed object. */
export interface PrintedRow {
  readonly cells: readonly TableCell[];
  readonly conditions?: readonly TableRowCondition[];
}

/**
 * Prints objects of one kind as table rows (rest.TableConvertor). Pure: a row is kept as long as the object's version
 * is, and ages in it are cells of their own kind.
 */
export interface TableConvertor {
  readonly columns: readonly TableColumnDefinition[];
  /**
   * `object` is in the resource's memory version (with `requestVersion` where a convertor prefers that). Must not
   * change it.
   */
  row(object: KubeObject): PrintedRow;
  /** The order of a list's rows, of objects as `row` takes them. Default: that of the list. */
  readonly compare?: (a: KubeObject, b: KubeObject) => number;
  /** Every event of a watch has the columns. Default: the first one. */
  readonly columnsInEvents?: true;
}
