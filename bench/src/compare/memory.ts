import { setTimeout as delay } from 'node:timers/promises';
import type { Contender } from './contender.ts';
import type { Figures } from './figure.ts';

/** A process at rest gives back what it does not need within this time. */
const restMs = 15_000;

/**
 * Adds the memory (PSS, MB) of store and servers of each contender when they have come to rest; resolves to a line
 * for each with that of each process. The command that looks after a chain's processes is in the lines only.
 */
export async function measureMemory(
  figures: Figures,
  contenders: readonly Contender[],
  when: string,
): Promise<string[]> {
  await delay(restMs);
  return contenders.map((contender) => {
    const byProcess = [...contender.memory()];
    const servers = byProcess.filter(([process]) => process !== 'kubechain' || byProcess.length === 1);
    const sum = servers.reduce((total, [, bytes]) => total + bytes, 0) / 1e6;
    figures.add(`memory, MB, ${when}`, contender.name, sum);
    const each = byProcess.map(([process, bytes]) => `${process} ${(bytes / 1e6).toFixed(0)}`).join(', ');
    return `memory (PSS, MB) ${when}, ${contender.name}: ${each}`;
  });
}
