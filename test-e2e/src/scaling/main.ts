/**
 * Fills every list, map and text of every kind, and sees what everything that is done with such an object costs.
 *
 *   npm run scaling -- [--by shape|type] [--share N] [--seed N] [--shard I/N] [--bytes N] [--only TEXT]
 *     [--of list|map|scalar|any] [--stage TEXT] [--list]
 *
 * By default one field of each shape is filled, which the seed decides; by type, every field of every struct is, which
 * takes many hours: shares are for that, and shards that run side by side. Rules are written by field, so that
 * `--by type --of list --stage validate --bytes 400000` is what finds those that compare each item with each. Every
 * finding is printed with the command that plays it again; the exit code is 1 where there is one.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { atBodyLimit, findingText } from './bars.ts';
import { casesOf, oneOfEach } from './cases.ts';
import { measureCase } from './measure.ts';
import { stages } from './stages.ts';
import { allSubjects } from './subjects.ts';
import { helpFrom } from '../harness/help.ts';

/** So many cases are told of at a time. */
const PROGRESS_CASES = 50;

helpFrom(import.meta.filename);
const { values } = parseArgs({
  options: {
    by: { type: 'string', default: 'shape' },
    share: { type: 'string' },
    seed: { type: 'string' },
    shard: { type: 'string', default: '0/1' },
    bytes: { type: 'string' },
    only: { type: 'string', default: '' },
    of: { type: 'string', default: '' },
    stage: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const [shard = 0, shards = 1] = values.shard.split('/').map(Number);
const bars = { ...atBodyLimit, ...(values.bytes === undefined ? {} : { bytes: Number(values.bytes) }) };
const by = values.by === 'type' ? 'type' : 'shape';
const chosen = oneOfEach(by, casesOf(...allSubjects()), { seed, only: values.only, of: values.of })
  .slice(0, values.share === undefined ? undefined : Number(values.share))
  .filter((_, i) => i % shards === shard);
process.stdout.write(`seed ${seed}: ${chosen.length} cases\n`);
if (values.list) for (const { name } of chosen) process.stdout.write(`${name}\n`);
else {
  const of = stages.filter(({ name }) => name.includes(values.stage));
  let runs = 0;
  let found = 0;
  let cases = 0;
  for (const at of chosen) {
    const outcome = await measureCase(at, bars, of);
    if (++cases % PROGRESS_CASES === 0) process.stderr.write(`${cases} cases after ${cpuSeconds()} s of a processor\n`);
    runs += outcome.runs;
    found += outcome.findings.length;
    for (const finding of outcome.findings) process.stdout.write(`${findingText(finding, bars)}\n`);
  }
  process.stdout.write(
    `${chosen.length} cases, ${runs} measurements, ${found} findings, ${cpuSeconds()} s of a processor\n`,
  );
  process.exitCode = found === 0 ? 0 : 1;
}

function cpuSeconds(): number {
  const { system, user } = process.cpuUsage();
  return Math.round((system + user) / 1_000_000);
}
