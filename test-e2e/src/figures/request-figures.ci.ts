import { join } from 'node:path';
import { freePort } from '@kubechain/shared-storage/testing';
import { run } from '../harness/run.ts';

const bench = join(import.meta.dirname, '../../../bench/src/compare.ts');

describe('figures of requests', () => {
  /** Processor time of all processes of the chain, in units of a loop that reads and writes JSON beside them. */
  it('keep their bounds', async () => {
    const port = String(await freePort());
    await run(process.execPath, [
      bench,
      '--check',
      '--port',
      port,
      '--rounds',
      '3',
      '--seconds',
      '1.5',
      '--warm-up',
      '2',
    ]);
  }).timeout(900_000);
});
