/**
 * Starts a chain with the lifecycle controllers several times, and prints what they take when they have nothing to do:
 * percent of a core, and memory with their share of what other processes have too.
 *
 *   node test-e2e/src/controllers/idle-starts.ts [--starts 6]
 *
 * The exit code is 1 where a start takes 1 % of a core or 60 MB.
 */
import { parseArgs } from 'node:util';
import { startChain } from '../harness/chain.ts';
import { pidOf } from '../harness/process-of.ts';
import { idleCost, settle } from './idle-cost.ts';
import { helpFrom } from '../harness/help.ts';

helpFrom(import.meta.filename);
const { values } = parseArgs({ options: { starts: { type: 'string', default: '6' } } });
for (let start = 1; start <= Number(values.starts); start++) {
  const chain = await startChain({ flags: ['--controllers=lifecycle'] });
  try {
    await settle();
    const { memoryMB, percent } = await idleCost(pidOf(chain.dataDir, 'controllers'));
    process.stdout.write(`${start}: ${percent.toFixed(2)} % of a core, ${memoryMB.toFixed(1)} MB\n`);
    if (percent >= 1 || memoryMB >= 60) process.exitCode = 1;
  } finally {
    await chain.stop();
  }
}
