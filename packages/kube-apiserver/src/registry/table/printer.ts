import { ageSince } from '@kubechain/apiserver/resources';
import type { PrintedRow, TableCell } from '@kubechain/apiserver/resources';
import type { ReleaseAge } from '@kubechain/apimachinery';

/** Prints one object of a kind as a release does; decoding has checked that it has the kind's shape. */
export type Printer<T> = (object: T, release: ReleaseAge) => readonly TableCell[];

/** The same of any kind, with conditions of the row where it has some. */
export type RowPrinter = (object: never, release: ReleaseAge) => readonly TableCell[] | PrintedRow;

/** What every object has, of which most rows begin and end. */
interface Named {
  readonly metadata?: { readonly name?: string; readonly creationTimestamp?: string | null };
}

export const nameOf = ({ metadata }: Named): string => metadata?.name ?? '';
/** The age column. */
export const ageOf = ({ metadata }: Named): TableCell => ageSince(metadata?.creationTimestamp);
