import { join } from 'node:path';
import { freePort } from '@kubechain/shared-storage/testing';
import { shareOf } from '../ci/share.ts';
import { run } from '../harness/run.ts';

const bench = join(import.meta.dirname, '../../../bench/src/growth.ts');

describe('growth of costs', () => {
  /** Rows whose figures do not hang on when garbage is collected, at sizes that take half a minute. */
  for (const row of shareOf(['namespaces', 'large-objects', 'clients']))
    it(`keeps the bounds of ${row}, up to 1,000`, async () => {
      const port = String(await freePort());
      await run(process.execPath, [bench, '--check', '--only', `^${row}$`, '--most', '1000', '--port', port]);
    }).timeout(300_000);
});
