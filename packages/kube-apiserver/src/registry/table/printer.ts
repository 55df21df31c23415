import { ageSince } from '@kubechain/apiserver';
import type { PrintedRow, TableCell } from '@kubechain/apiserver';
import type { KubeObject } from '@kubechain/apimachinery';

/** Prints one object of a kind. */
export type Printer<T> = (object: T) => readonly TableCell[];

/** Printers by kind. */
export type Printers = ReadonlyMap<string, (object: KubeObject) => PrintedRow>;

/** A printer as one entry of {@link Printers}; decoding has checked that the object has the kind's shape. */
export function printer<T>(
  kind: string,
  print: Printer<T>,
): readonly [kind: string, print: (object: KubeObject) => PrintedRow] {
  return [kind, (object) => ({ cells: print(object as T) })];
}

/** What every object has, of which most rows begin and end. */
interface Named {
  readonly metadata?: { readonly name?: string; readonly creationTimestamp?: string | null };
}

export const nameOf = ({ metadata }: Named): string => metadata?.name ?? '';
/** The age column. */
export const ageOf = ({ metadata }: Named): TableCell => ageSince(metadata?.creationTimestamp);
