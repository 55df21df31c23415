import { isMainThread, workerData } from 'node:worker_threads';

/** A program and its flags, which a thread of the process can run once more. */
export interface SideProgram {
  /** Of the file with its main function. */
  readonly path: string;
  readonly argv: readonly string[];
}

/** What runs in this process; undefined in a thread, and where nobody can say. */
export function programOfProcess(): SideProgram | undefined {
  const [, path, ...argv] = process.argv;
  return isMainThread && path !== undefined ? { path, argv } : undefined;
}

/** Where the program is to listen for its process, if it runs in a thread of one; undefined for the process itself. */
export function sideSocketOfThread(): string | undefined {
  return isMainThread ? undefined : (workerData as { readonly sideSocket?: string } | null)?.sideSocket;
}
