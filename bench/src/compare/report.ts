import { readFileSync, writeFileSync } from 'node:fs';
import type { Figure } from './figure.ts';
import type { Sample } from './round.ts';

/** Samples of an operation by contender, round by round. */
export interface Row {
  readonly name: string;
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/** Who is compared with whom, by name. */
export interface Sides {
  /** The chain first, then other topologies of it. */
  readonly ours: readonly string[];
  readonly others: readonly string[];
}

const begin = '<!-- what bench/src/compare.ts writes -->\n';
const end = '<!-- to here -->\n';

/**
 * The rows as a table of Markdown: of the chain what each process took and how many units of the calibration loop that
 * is, what each of the others took, and then the ratios of the rounds, median and, in brackets, least to most; above 1
 * the topology named is ahead.
 */
export function table(rows: readonly Row[], { others, ours }: Sides): string {
  const chain = ours[0]!;
  const names = [
    ...new Set(rows.flatMap(({ samples }) => samples.get(chain)!.flatMap(({ byProcess }) => [...byProcess.keys()]))),
  ];
  const head = [
    '',
    `µs (${names.join(' + ')})`,
    'units',
    ...[...ours.slice(1), ...others].map((of) => `${of} µs`),
    ...pairs(ours, others).flatMap(({ title }) => [`${title}processor time`, `${title}a second`, `${title}p99`]),
  ];
  const body = rows.map(({ name, samples }) => {
    const own = samples.get(chain)!;
    const byProcess = names.map((of) => median(own.map((one) => one.byProcess.get(of) ?? 0)).toFixed(0)).join(' + ');
    return [
      name,
      byProcess,
      inUnits(median(own.map(({ units }) => units))),
      ...[...ours.slice(1), ...others].map((of) => median(samples.get(of)!.map(({ micros }) => micros)).toFixed(0)),
      ...pairs(ours, others).flatMap(({ of, to }) => {
        const [a, b] = [samples.get(of)!, samples.get(to)!];
        return [
          spread(b.map(({ micros }, i) => micros / a[i]!.micros)),
          spread(b.map(({ perSecond }, i) => a[i]!.perSecond / perSecond)),
          spread(b.map(({ p99Ms }, i) => p99Ms / a[i]!.p99Ms)),
        ];
      }),
    ];
  });
  return markdown(head, body);
}

/** Figures of whole processes as a table: medians, and ratios as in {@link table}; less is ahead. */
export function figureTable(figures: readonly Figure[], { others, ours }: Sides): string {
  const everybody = [...ours, ...others];
  const head = ['', ...everybody, ...pairs(ours, others).map(({ title }) => `${title}ratio`)];
  const body = figures.map(({ name, values }) => [
    name,
    ...everybody.map((of) => inUnits(median(values.get(of)!))),
    ...pairs(ours, others).map(({ of, to }) => spread(values.get(to)!.map((value, i) => value / values.get(of)![i]!))),
  ]);
  return markdown(head, body);
}

/** Values as they are told: small ones with a place after the point. */
export const inUnits = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** Puts the tables where the document has its marks. @throws TypeError when it has none */
export function writeInto(file: string, text: string): void {
  const document = readFileSync(file, 'utf8');
  const from = document.indexOf(begin);
  const to = document.indexOf(end, from);
  if (from === -1 || to === -1) throw new TypeError(`${file} has no place for the table`);
  writeFileSync(file, `${document.slice(0, from + begin.length)}\n${text}\n\n${document.slice(to)}`);
}

/** Each topology beside each of the others; only what is not the chain beside the first of them is named. */
function pairs(
  ours: readonly string[],
  others: readonly string[],
): { readonly title: string; readonly of: string; readonly to: string }[] {
  return ours.flatMap((of, i) =>
    others.map((to, k) => ({
      title: `${i === 0 ? '' : `${of}: `}${k === 0 && others.length === 1 ? '' : `beside ${to}: `}`,
      of,
      to,
    })),
  );
}

function markdown(head: readonly string[], body: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...body]
    .map((cells) => `| ${cells.join(' | ')} |`.replace('|  |', '| |'))
    .join('\n');
}

function spread(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
