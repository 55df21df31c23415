import { loopTurns } from '@kubechain/apimachinery';

/**
 * Does something for each of many items, and lets others have the thread now and then: those of the controllers, with
 * whom it takes turns, and the servers in the same process.
 */
export async function inTurns<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  for (const item of items) {
    step(item);
    const turn = loopTurns.next();
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
    if (turn !== undefined) await turn;
  }
}
