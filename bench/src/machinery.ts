// What one write costs without network and storage: decode, default, validate, update the field set, encode, of objects
// of about 3 KiB. Figures are ratios to JSON.parse and JSON.stringify of the same bytes, taken in turns within one run.
//   node bench/src/machinery.ts [--rounds N] [--only REGEX] [--check]
import { parseArgs } from 'node:util';
import { registerDefaults } from '@kubechain/kube-apiserver';
import { measureRatios } from './machinery/ratio.ts';
import { Subject } from './machinery/subject.ts';
import { subjects } from './machinery/subjects.ts';
import { printTable } from './storage/table.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, only: { type: 'string', default: '' }, check: { type: 'boolean', default: false } },
});
registerDefaults({ now: () => 1_700_000_000_000 });
const rows = [['', 'bytes', 'µs at best', 'ratio', 'bound', '']];
let missed = 0;
for (const options of subjects()) {
  const { bytes, steps, unit } = await new Subject(options).steps();
  const wanted = steps.filter(({ name }) => new RegExp(values.only).test(name));
  if (wanted.length === 0) continue;
  for (const { bestMicros, name, ratio, atMost } of await measureRatios(unit, wanted, Number(values.rounds))) {
    const kept = atMost === undefined || ratio <= atMost;
    if (!kept) missed++;
    rows.push([name, String(bytes), bestMicros.toFixed(1), ratio.toFixed(1), atMost === undefined ? '' : `<= ${atMost}`, kept ? '' : 'MISSED']);
  }
}
printTable(rows);
if (values.check && missed > 0) process.exitCode = 1;
