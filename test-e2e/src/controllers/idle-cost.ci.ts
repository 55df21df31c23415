import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from '../harness/chain.ts';
import { pidOf } from '../harness/process-of.ts';

/** How long start-up may still have work for controllers. */
const settlingMs = 15_000;
const measuredMs = 20_000;
/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;

/** Processor time of a process so far, in milliseconds (fields 14 and 15 of proc_pid_stat(5)). */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Memory of a process, with its share of what others have too, in MB. */
function pssMB(pid: number): number {
  const kB = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kB) / 1024;
}

describe('controllers that have nothing to do', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain({ flags: ['--controllers=lifecycle'] });
  });
  after(() => chain?.stop());

  it('take less than 1 % of a core, and less than 60 MB', async function () {
    this.timeout(240_000);
    const pid = pidOf(chain.dataDir, 'controllers');
    await delay(settlingMs);
    // On a machine that was busy while they started, some of that is left for the first round.
    const rounds: { readonly percent: number; readonly memoryMB: number }[] = [];
    for (let round = 0; round < 3; round++) {
      const [beforeMs, startedMs] = [processorMs(pid), performance.now()];
      await delay(measuredMs);
      const percent = ((processorMs(pid) - beforeMs) / (performance.now() - startedMs)) * 100;
      rounds.push({ percent, memoryMB: pssMB(pid) });
      if (percent < 1 && pssMB(pid) < 60) break;
    }
    const last = rounds.at(-1);
    const told = JSON.stringify(rounds);
    expect(last?.percent, told).to.be.greaterThan(0).and.lessThan(1);
    expect(last?.memoryMB, told).to.be.greaterThan(10).and.lessThan(60);
  });
});
