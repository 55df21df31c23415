/** Bits of a flow's hash that hands of queues are dealt from. */
export const maxHashBits = 60;

/**
 * Bits that dealing `handSize` of `deckSize` queues takes (RequiredEntropyBits of apiserver's util/shufflesharding,
 * 1.36).
 */
export function hashBits(deckSize: number, handSize: number): number {
  return Math.ceil(Math.log2(deckSize) * handSize);
}
