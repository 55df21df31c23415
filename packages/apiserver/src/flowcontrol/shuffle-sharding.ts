import { createHash } from 'node:crypto';

/**
 * The 64 bits that stand for a flow: one distinguisher (user, namespace or nothing) of one schema (hashFlowID of
 * util/flowcontrol, 1.36).
 */
export function flowHash(schemaName: string, distinguisher: string): bigint {
  return createHash('sha256').update(`${schemaName}\0${distinguisher}`).digest().readBigUInt64LE(0);
}

/**
 * The queues of one flow: `handSize` different ones of `deckSize`, dealt by its hash (util/shufflesharding, 1.36). Two
 * flows seldom have the same hand, so that one flow cannot fill all queues of another.
 */
export function dealHand(
  hash: bigint,
  { queues: deckSize, handSize }: { readonly queues: number; readonly handSize: number },
): readonly number[] {
  const remainders: number[] = [];
  let rest = hash;
  for (let i = 0; i < handSize; i++) {
    const left = BigInt(deckSize - i);
    remainders.push(Number(rest % left));
    rest /= left;
  }
  // The i-th number counts among the cards that are left; stepping over those dealt before makes it a card of the whole
  // deck.
  return remainders.map((remainder, i) => {
    let card = remainder;
    for (let j = i - 1; j >= 0; j--) if (card >= (remainders[j] as number)) card++;
    return card;
  });
}
