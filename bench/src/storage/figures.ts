import { printTable } from './table.ts';

/**
 * A measured figure and the bound that it must keep. Ratios are of one run on one machine, so that they hold on any.
 */
export interface Figure {
  readonly name: string;
  readonly backend: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Prints figures beside their bounds; returns those that miss theirs. */
export function reportFigures(figures: readonly Figure[]): readonly Figure[] {
  const missed = figures.filter(
    ({ atLeast = -Infinity, atMost = Infinity, value }) => !(value >= atLeast && value <= atMost),
  );
  printTable([
    ['figure', 'backend', 'measured', 'bound', ''],
    ...figures.map((figure) => [
      figure.name,
      figure.backend,
      figure.value.toFixed(3),
      figure.atLeast === undefined ? `<= ${figure.atMost}` : `>= ${figure.atLeast}`,
      missed.includes(figure) ? 'MISSED' : 'kept',
    ]),
  ]);
  return missed;
}
