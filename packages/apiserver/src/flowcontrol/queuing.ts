import type { PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';

/** How requests of a priority level wait. */
export type Queuing =
  /** They never do: the exempt level has no limit. */
  | { readonly kind: 'exempt' }
  /** They never do: what is above the limit is refused. */
  | { readonly kind: 'reject' }
  | { readonly kind: 'queue'; readonly queues: number; readonly handSize: number; readonly queueLengthLimit: number };

/** Bits of a flow's hash that hands of queues are dealt from. */
const maxHashBits = 60;
const maxDeckSize = 2 ** 26;

/**
 * Reads the queuing of a level; undefined for one that is broken, which is treated as if it did not exist
 * (queueSetCompleterForPL of util/flowcontrol, 1.36).
 */
export function queuingOf({ metadata, spec }: PriorityLevelConfiguration): Queuing | undefined {
  const { type, limited, exempt } = spec ?? {};
  if ((type === 'Limited') !== (limited !== undefined) || (type === 'Exempt') !== (exempt !== undefined))
    return undefined;
  if ((type === 'Exempt') !== (metadata?.name === 'exempt')) return undefined;
  if (limited === undefined) return { kind: 'exempt' };
  const { limitResponse } = limited;
  if ((limitResponse?.type === 'Reject') !== (limitResponse?.queuing === undefined)) return undefined;
  if (limitResponse?.queuing === undefined) return { kind: 'reject' };
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = limitResponse.queuing;
  if (queues <= 0) return { kind: 'reject' };
  const dealable =
    handSize > 0 &&
    handSize <= queues &&
    queues <= maxDeckSize &&
    Math.ceil(Math.log2(queues) * handSize) <= maxHashBits;
  return dealable ? { kind: 'queue', queues, handSize, queueLengthLimit } : undefined;
}
