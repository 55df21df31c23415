// Runs what a clean checkout must pass, several parts side by side: see docs/testing.md.
//   node test-e2e/src/ci/main.ts [--only REGEX] [--list] [--whole]
// --only: jobs whose names match, and what they need. Environment: KUBECHAIN_CI_CAPACITY, the sum of the loads that may
// run at the same time (default: twice the number of processors); KUBECHAIN_CI_SHARE, a number: which of the cases that
// take turns are tried (default: by the day). --whole: all of them.
// Exit status: 0 when every job has passed, 1 otherwise, 2 on a usage error. The last line is `N passed, M failed`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ciJobs } from './jobs.ts';
import type { Job, Outcome } from './job.ts';
import { chosen } from './next-job.ts';
import { runJobs } from './run-jobs.ts';
import { printOutcome, printSummary } from './report.ts';
import { sharedJobs } from './share.ts';
import { helpFrom } from '../harness/help.ts';

const root = join(import.meta.dirname, '../../..');
helpFrom(import.meta.filename);
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
  },
});
const capacity = Number(process.env['KUBECHAIN_CI_CAPACITY'] ?? 2 * availableParallelism());
if (!(capacity > 0)) throw new RangeError('KUBECHAIN_CI_CAPACITY must be a positive number');

if (values.whole) delete process.env['KUBECHAIN_CI_SHARE'];
else process.env['KUBECHAIN_CI_SHARE'] ??= String(Math.floor(Date.now() / 86_400_000));
const jobs: readonly Job[] =
  values.only === '' ? sharedJobs(ciJobs(root)) : chosen(ciJobs(root), new RegExp(values.only));
if (jobs.length === 0) {
  console.error(`ci: no job matches ${values.only}`);
  process.exitCode = 2;
} else if (values.list) {
  for (const { name, command, needs = [] } of jobs)
    console.log(`${name}: ${command.join(' ')}${needs.length === 0 ? '' : `   [after ${needs.join(', ')}]`}`);
} else {
  console.log(`ci: share ${process.env['KUBECHAIN_CI_SHARE'] ?? 'whole'}`);
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-ci-'));
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  try {
    // The second is for programs that jobs put there for those after them.
    process.env['PATH'] = [join(root, 'node_modules/.bin'), join(folder, 'bin'), process.env['PATH']].join(delimiter);
    mkdirSync((process.env['KUBECHAIN_CI_BIN'] = join(folder, 'bin')));
    process.env['KUBECHAIN_GO_TOOLS'] ??= join(folder, 'go-tools');
    process.env['KUBECHAIN_NODE_RELEASES'] ??= join(folder, 'node-releases');
    const logFiles = new Map<Outcome, string | undefined>();
    const outcomes = await runJobs(jobs, {
      cwd: root,
      capacity,
      logFolder: folder,
      signal: interrupted.signal,
      onStart: ({ name }) => console.log(`── ${name} …`),
      onEnd: (outcome, logFile) => {
        logFiles.set(outcome, logFile);
        printOutcome(outcome, logFile);
      },
    });
    process.exitCode = printSummary(outcomes, (outcome) => logFiles.get(outcome));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
