// Takes down all machines of tests of real nodes, also those of runs that still go on.
//   node test-e2e/src/node/teardown.ts
import { takeDownLeftovers } from './machine-record.ts';

const dirs = await takeDownLeftovers('all');
console.log(dirs.length === 0 ? 'nothing is left' : dirs.map((dir) => `took down ${dir}`).join('\n'));
