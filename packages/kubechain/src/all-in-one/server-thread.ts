import { Worker, type WorkerOptions } from 'node:worker_threads';
import { bundledPrograms } from '../bundle/bundled-programs.ts';
import { compileCacheDirectory } from '../bundle/compile-cache.ts';

/**
 * Begins a thread of servers.
 * @param source the thread's program as a source, or built beside who begins it; from the bundle where there is one
 */
export function serverThread(
  source: string,
  options: Pick<WorkerOptions, 'resourceLimits' | 'workerData'> = {},
): Worker {
  const main = bundledPrograms()?.get(source) ?? source;
  return new Worker(main, {
    ...options,
    env: { ...process.env, NODE_COMPILE_CACHE: compileCacheDirectory(main) },
    // In place of this process's own: loaders of a test runner have no business there.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
}
