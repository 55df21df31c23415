import type { Contender } from '../compare/contender.ts';
import type { Client } from '../requests/client.ts';

/** A server that grows, and what asks it. */
export interface Subject {
  /** What runs now: a row may start it again. */
  readonly contender: Contender;
  readonly client: Client;
  /** Stops it and starts it over what it has stored. */
  restart(): Promise<Subject>;
}

/** What was measured at one size, by the name of the figure. */
export interface Point {
  readonly size: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** A bound of one figure at the largest size. */
export interface Bound {
  readonly figure: string;
  /** It may be so large, in its own unit: for memory, which does not depend on what else a machine does. */
  readonly most?: number;
  /** It may be so many times what it is at the smallest size. */
  readonly mostGrowth?: number;
}

/** One thing that there may be many of. */
export interface GrowthRow {
  /** Of its picture's file, too. */
  readonly name: string;
  readonly title: string;
  /** What is counted. */
  readonly unit: string;
  readonly sizes: readonly number[];
  readonly bounds: readonly Bound[];
  /** Grows a fresh server from size to size and measures it at each. */
  grow(subject: Subject, sizes: readonly number[], point: (point: Point) => void): Promise<void>;
}

/** The bounds that do not hold, in words. */
export function missedBounds({ bounds, name }: Pick<GrowthRow, 'bounds' | 'name'>, points: readonly Point[]): string[] {
  const [first, last] = [points[0], points.at(-1)];
  return bounds.flatMap(({ figure, most, mostGrowth }) => {
    const value = last?.figures[figure] ?? Number.NaN;
    const growth = value / (first?.figures[figure] ?? Number.NaN);
    return [
      ...(most !== undefined && !(value <= most) ? [`${name}: ${figure} is ${value}, at most ${most}`] : []),
      ...(mostGrowth !== undefined && !(growth <= mostGrowth)
        ? [`${name}: ${figure} has grown ${growth} times, at most ${mostGrowth}`]
        : []),
    ];
  });
}
