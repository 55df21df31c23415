/**
 * A stand-in for a server process in specs: says that it is ready, and notes in FAKE_SERVER_JOURNAL what happens to it.
 * `--fail=LINE` fails as a server with a bad flag does; `--say=LINE` logs it; `--never-ready` keeps silent,
 * `--never-whole` does after it was ready.
 */
import { appendFileSync } from 'node:fs';

const [name, ...args] = process.argv.slice(2) as [string, ...string[]];
const journal = process.env['FAKE_SERVER_JOURNAL'];
const note = (event: string): void => {
  if (journal !== undefined) appendFileSync(journal, `${JSON.stringify({ name, event, pid: process.pid, args })}\n`);
};

const failure = args.find((argument) => argument.startsWith('--fail='));
if (failure !== undefined) {
  process.stderr.write(`Error: ${failure.slice('--fail='.length)}\n`);
  process.exit(1);
}
const said = args.find((argument) => argument.startsWith('--say='));
if (said !== undefined) process.stderr.write(`${said.slice('--say='.length)}\n`);
note('start');
process.on('SIGTERM', () => {
  note('stop');
  process.exit(0);
});
if (!args.includes('--never-ready')) {
  process.send?.({ kind: 'ready', name, url: 'https://127.0.0.1:1' });
  if (!args.includes('--never-whole')) process.send?.({ kind: 'whole', name });
}
setInterval(() => undefined, 60_000);
