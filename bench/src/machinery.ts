// What one write costs without network and storage: decode, default, validate, update the field set, encode, of objects
// of about 3 KiB. Figures are ratios to JSON.parse and JSON.stringify of the same bytes, taken in turns within one run.
//   node bench/src/machinery.ts [--rounds N] [--only REGEX] [--check]
// --check: exits with 1 when a ratio is above its bound, and still is when it is measured again.
import { parseArgs } from 'node:util';
import { measureRatios } from './machinery/ratio.ts';
import type { Ratio } from './machinery/ratio.ts';
import { Subject } from './machinery/subject.ts';
import { subjects } from './machinery/subjects.ts';
import { printTable } from './storage/table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '25' },
    only: { type: 'string', default: '' },
    check: { type: 'boolean', default: false },
  },
});
const isAbove = ({ atMost = Infinity, ratio }: Ratio): boolean => ratio > atMost;

const rows = [['', 'bytes', 'µs at best', 'ratio', 'bound', '']];
let missed = 0;
for (const options of subjects()) {
  const { bytes, steps, unit } = await new Subject(options).steps();
  const wanted = steps.filter(({ name }) => new RegExp(values.only).test(name));
  if (wanted.length === 0) continue;
  let ratios = await measureRatios(unit, wanted, Number(values.rounds));
  if (values.check && ratios.some(isAbove)) {
    const again = await measureRatios(unit, wanted, Number(values.rounds) * 2);
    ratios = ratios.map((ratio, i) => (isAbove(ratio) ? (again[i] ?? ratio) : ratio));
  }
  missed += ratios.filter(isAbove).length;
  for (const ratio of ratios)
    rows.push([
      ratio.name,
      String(bytes),
      ratio.bestMicros.toFixed(1),
      ratio.ratio.toFixed(1),
      ratio.atMost === undefined ? '' : `<= ${ratio.atMost}`,
      isAbove(ratio) ? 'MISSED' : '',
    ]);
}
printTable(rows);
if (values.check && missed > 0) process.exitCode = 1;
