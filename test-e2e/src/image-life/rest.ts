import { setTimeout as delay } from 'node:timers/promises';
import type { ImageProcess } from '../harness/image-process.ts';

const LOOKS = 20;
const BETWEEN_LOOKS_MS = 3_000;

/**
 * Waits until memory goes down no further, garbage of the start being collected when processes are at rest; resolves
 * to it, in bytes: the least of a minute. `goal`, in bytes: what is less is little enough, and is not waited for.
 */
export async function comesToRest(image: ImageProcess, goal = 0): Promise<number> {
  let least = Infinity;
  for (let look = 0; look < LOOKS && least > goal; look++) {
    await delay(BETWEEN_LOOKS_MS);
    least = Math.min(least, image.memory());
  }
  return least;
}
