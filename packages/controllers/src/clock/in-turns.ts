/** What is done at a time, in ms. */
const LONG_MS = 10;

/** Does something for each of many items, and lets others have the thread now and then. */
export async function inTurns<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  let since = performance.now();
  for (const item of items) {
    step(item);
    if (performance.now() - since < LONG_MS) continue;
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}
