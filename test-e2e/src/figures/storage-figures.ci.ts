import { join } from 'node:path';
import { goTool } from '../harness/go-tools.ts';
import { run } from '../harness/run.ts';

const bench = join(import.meta.dirname, '../../../bench/src/storage.ts');

describe('figures of storage', () => {
  /** Lists, memory, fan-out and calls at full size; all bounds are ratios within the run or counts. */
  it('keep their bounds on the embedded store and on etcd 3.6', async () => {
    await run(process.execPath, [bench, '--check', '--etcd', '--seconds', '0.4'], {
      env: { ETCD_BINARY: await goTool('etcd') },
    });
  }).timeout(900_000);
});
