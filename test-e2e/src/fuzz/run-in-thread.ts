import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FuzzBounds, FuzzFinding, FuzzOutcome } from './run-target.ts';

/** No single try takes longer, on the slowest machine. */
const STUCK_MS = 30_000;

/** Feeds a target in a thread of its own; a try that does not end, or a thread that dies, is a finding. */
export function runInThread(name: string, bounds: FuzzBounds): Promise<FuzzOutcome> {
  const progress = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  const worker = new Worker(join(import.meta.dirname, 'worker.ts'), { workerData: { name, bounds, progress } });
  return new Promise((resolve) => {
    let last = -1;
    let since = performance.now();
    const timer = setInterval(() => {
      const attempt = Atomics.load(progress, 0);
      if (attempt !== last) {
        last = attempt;
        since = performance.now();
      } else if (attempt >= 0 && performance.now() - since > STUCK_MS) {
        void worker.terminate();
        finish({ attempts: attempt - bounds.from, findings: [finding(`did not end within ${STUCK_MS} ms`)] });
      }
    }, 500);
    const finding = (reason: string): FuzzFinding => ({
      target: name,
      seed: bounds.seed,
      attempt: Math.max(Atomics.load(progress, 0), bounds.from),
      reason,
      input: '""',
    });
    const finish = (outcome: FuzzOutcome): void => {
      clearInterval(timer);
      resolve(outcome);
    };
    worker.once('message', (outcome: FuzzOutcome) => {
      finish(outcome);
    });
    worker.once('error', (error) => {
      finish({
        attempts: 0,
        findings: [finding(error instanceof Error ? (error.stack ?? error.message) : String(error))],
      });
    });
    worker.once('exit', (code) => {
      finish({ attempts: 0, findings: [finding(`the thread ended with ${code}`)] });
    });
  });
}
