/** Runs the unit tests and then the end-to-end tests, these also when unit tests fail. Exit status: 1 when one failed. */
import { spawnSync } from 'node:child_process';

for (const suite of ['test:unit', 'test:e2e']) {
  const { error, signal, status } = spawnSync('npm', ['run', suite], { stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (signal !== null) process.kill(process.pid, signal);
  if (status !== 0) process.exitCode = 1;
}
