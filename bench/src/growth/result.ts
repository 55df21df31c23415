import { ours } from '../compare/launchers.ts';
import type { Plot } from './plot.ts';
import type { Point, GrowthRow } from './growth-row.ts';

/** What a contender showed in a row. */
export interface Result {
  readonly row: string;
  readonly of: string;
  readonly points: Point[];
}

/** The picture of a row: a line for each figure of the chain, and one in dashes for each of others. None of nothing. */
export function plotOf({ name, title, unit }: GrowthRow, results: readonly Result[]): Plot | undefined {
  const own = results.filter(({ row }) => row === name);
  const lines = own.flatMap(({ of, points }) =>
    Object.keys(points.at(-1)?.figures ?? {}).map((figure) => ({
      name: of === ours ? figure : `${figure}, ${of}`,
      dashed: of !== ours,
      // What is below what can be measured has no place on a logarithmic axis.
      points: points
        .map(({ figures, size }) => [size, figures[figure] ?? Number.NaN] as const)
        .filter(([, value]) => value > 0),
    })),
  );
  return lines.length === 0 ? undefined : { title, x: unit, lines };
}
