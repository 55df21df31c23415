import { join } from 'node:path';
import { freePort } from '@kubechain/shared-storage/testing';
import { run } from '../harness/run.ts';

const bench = join(import.meta.dirname, '../../../bench/src/crds.ts');

describe('figures of many CRDs', () => {
  /** 1,000 CRDs of 60 fields with rules, each with an object: time, processor time, and memory of the whole chain. */
  it('keep their bounds', async () => {
    await run(process.execPath, [bench, '--check', '--secure-port', String(await freePort())]);
  }).timeout(300_000);
});
