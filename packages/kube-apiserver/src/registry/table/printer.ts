import { ageSince } from '@kubechain/apiserver';
import type { PrintedRow, TableCell } from '@kubechain/apiserver';
import type { KubeObject } from '@kubechain/apimachinery';

/** Prints one object of a kind; ages are relative to `nowMs`. */
export type Printer<T> = (object: T, nowMs: number) => readonly TableCell[];

/** Printers by kind. */
export type Printers = ReadonlyMap<string, (object: KubeObject, nowMs: number) => PrintedRow>;

/** A printer as one entry of {@link Printers}; decoding has checked that the object has the kind's shape. */
export function printer<T>(
  kind: string,
  print: Printer<T>,
): readonly [kind: string, print: (object: KubeObject, nowMs: number) => PrintedRow] {
  return [kind, (object, nowMs) => ({ cells: print(object as T, nowMs) })];
}

/** What every object has, of which most rows begin and end. */
interface Named {
  readonly metadata?: { readonly name?: string; readonly creationTimestamp?: string | null };
}

export const nameOf = ({ metadata }: Named): string => metadata?.name ?? '';
/** The age column. */
export const ageOf = ({ metadata }: Named, nowMs: number): string => ageSince(metadata?.creationTimestamp, nowMs);
