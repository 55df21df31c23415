/**
 * Feeds parsers and servers with what nobody sane would send.
 *
 *   npm run fuzz -- [--target NAME]… [--seconds N] [--runs N] [--seed N] [--from N] [--list]
 *
 * Without bounds each target gets ten seconds. The seed is printed; the same seed makes the same tries. Every finding
 * is printed with its input and the command that plays it again; the exit code is 1 where there is one.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runInThread } from './run-in-thread.ts';
import { findingText } from './run-target.ts';
import { fuzzTargets } from './targets.ts';
import { helpFrom } from '../harness/help.ts';

helpFrom(import.meta.filename);
const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    seconds: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    list: { type: 'boolean', default: false },
  },
});
if (values.list) {
  for (const { about, name } of fuzzTargets) process.stdout.write(`${name.padEnd(16)} ${about}\n`);
  process.exit(0);
}
const unknown = values.target?.find((name) => !fuzzTargets.some((target) => target.name === name));
if (unknown !== undefined) {
  process.stderr.write(`fuzz: no target ${unknown}; --list shows them\n`);
  process.exit(1);
}
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const seconds = values.seconds === undefined ? (values.runs === undefined ? 10 : Infinity) : Number(values.seconds);
process.stdout.write(`seed ${seed}\n`);
let found = 0;
for (const { name } of fuzzTargets) {
  if (values.target !== undefined && !values.target.includes(name)) continue;
  const { attempts, findings } = await runInThread(name, {
    seed,
    from: Number(values.from),
    runs: values.runs === undefined ? Infinity : Number(values.runs),
    milliseconds: seconds * 1000,
  });
  process.stdout.write(`${name.padEnd(16)} ${attempts} tries, ${findings.length} findings\n`);
  for (const finding of findings) process.stdout.write(`${findingText(finding)}\n`);
  found += findings.length;
}
process.exitCode = found === 0 ? 0 : 1;
