import { readFileSync, writeFileSync } from 'node:fs';
import type { Sample } from './round.ts';

/** Samples of an operation by contender, round by round. */
export interface Row {
  readonly name: string;
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

const begin = '<!-- what bench/src/compare.ts writes -->\n';
const end = '<!-- to here -->\n';

/**
 * The rows as a table of Markdown: of `ours` what each process took and how many units of the calibration loop that is,
 * and for each of `others` the ratios of the rounds, median and, in brackets, least to most; above 1 ours is ahead.
 */
export function table(rows: readonly Row[], ours: string, others: readonly string[]): string {
  const names = [
    ...new Set(rows.flatMap(({ samples }) => samples.get(ours)!.flatMap(({ byProcess }) => [...byProcess.keys()]))),
  ];
  const head = [
    '',
    `µs (${names.join(' + ')})`,
    'units',
    ...others.flatMap((of) => [`${of} µs`, 'processor time', 'a second']),
  ];
  const body = rows.map(({ name, samples }) => {
    const own = samples.get(ours)!;
    const byProcess = names.map((of) => median(own.map((one) => one.byProcess.get(of) ?? 0)).toFixed(0)).join(' + ');
    return [
      name,
      byProcess,
      inUnits(units(own)),
      ...others.flatMap((of) => {
        const theirs = samples.get(of)!;
        return [
          median(theirs.map(({ micros }) => micros)).toFixed(0),
          spread(theirs.map(({ micros }, i) => micros / own[i]!.micros)),
          spread(theirs.map(({ perSecond }, i) => own[i]!.perSecond / perSecond)),
        ];
      }),
    ];
  });
  return [head, head.map(() => '---'), ...body]
    .map((cells) => `| ${cells.join(' | ')} |`.replace('|  |', '| |'))
    .join('\n');
}

/** Units as they are told: few with a place after the point. */
export const inUnits = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** The median of the rounds. */
const units = (samples: readonly Sample[]): number => median(samples.map((one) => one.units));

/** Puts the table where the document has its marks. @throws TypeError when it has none */
export function writeInto(file: string, text: string): void {
  const document = readFileSync(file, 'utf8');
  const from = document.indexOf(begin);
  const to = document.indexOf(end, from);
  if (from === -1 || to === -1) throw new TypeError(`${file} has no place for the table`);
  writeFileSync(file, `${document.slice(0, from + begin.length)}\n${text}\n\n${document.slice(to)}`);
}

function spread(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
