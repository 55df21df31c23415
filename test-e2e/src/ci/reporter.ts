import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { FAILED_FILES } from './failed-files.ts';

/** Mocha's own reporter, which also writes the files whose tests or hooks have failed, one a line. */
export default class FailedFilesReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const path = process.env[FAILED_FILES];
    if (path === undefined) return;
    const files = new Set<string>();
    runner.on('fail', ({ file = '' }) => files.add(file));
    // npm test runs mocha twice.
    runner.once('end', () => appendFileSync(path, [...files].map((file) => `${file}\n`).join('')));
  }
}
