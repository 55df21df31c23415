import { freePort } from '@kubechain/shared-storage/testing';
import { join } from 'node:path';
import { startProgram, type Program } from './program.ts';

const main = join(import.meta.dirname, '../../../packages/embedded-etcd/src/main.ts');

/** The embedded store as a process with a TCP address, for several servers to share. */
export async function startEmbeddedStore(dataFile: string): Promise<Program & { readonly url: string }> {
  const port = await freePort();
  const program = await startProgram(
    process.execPath,
    [main, '--data-file', dataFile, '--listen', `127.0.0.1:${port}`],
    { ready: /"endpoint"/ },
  );
  return { ...program, url: `http://127.0.0.1:${port}` };
}
