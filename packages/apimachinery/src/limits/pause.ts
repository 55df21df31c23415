/**
 * Called between two steps that take as long as the object is large: may let others have the thread meanwhile, or
 * return undefined, where the step before was short.
 */
export type Pause = () => Promise<void> | undefined;

/** For who has the thread to itself. */
export const noPause: Pause = () => undefined;
