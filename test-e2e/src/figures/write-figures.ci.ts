import { join } from 'node:path';
import { run } from '../harness/run.ts';

const bench = join(import.meta.dirname, '../../../bench/src/machinery.ts');

describe('figures of writes', () => {
  /** Ratios to JSON.parse and JSON.stringify of the same bytes, in processor time. */
  it('keep their bounds for pods, deployments, config maps and custom resources', async () => {
    await run(process.execPath, [bench, '--check']);
  }).timeout(900_000);
});
