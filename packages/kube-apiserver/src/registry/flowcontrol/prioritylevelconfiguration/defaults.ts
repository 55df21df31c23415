import type { PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';

/** Defaults of priority levels (pkg/apis/flowcontrol/v1, 1.36). */
export function defaultPriorityLevelConfiguration(level: PriorityLevelConfiguration): void {
  const { exempt, limited } = level.spec ?? {};
  if (limited !== undefined) {
    limited.nominalConcurrencyShares ??= 30;
    limited.lendablePercent ??= 0;
    const queuing = limited.limitResponse?.queuing;
    if (queuing !== undefined) {
      queuing.handSize ||= 8;
      queuing.queues ||= 64;
      queuing.queueLengthLimit ||= 50;
    }
  }
  if (exempt !== undefined) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
}
