import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { turnsOfThread } from './thread-turns.ts';

describe('turnsOfThread', () => {
  (existsSync('/proc/thread-self/schedstat') ? it : it.skip)('tells what the thread itself has had', () => {
    const usedMs = (): number => process.threadCpuUsage().user / 1_000;
    const before = { ...turnsOfThread(), usedMs: usedMs() };
    while (usedMs() < before.usedMs + 100);
    const after = turnsOfThread();
    expect(after.ranMs - before.ranMs).to.be.within(80, 1_000);
    expect(after.waitedMs).to.be.at.least(before.waitedMs);
  });
});
