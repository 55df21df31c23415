import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Heap and buffers in use after a full collection, in bytes. */
export function memoryInUse(): number {
  collect();
  collect();
  return currentMemory();
}

/** Heap and buffers now, garbage included. `external` contains array buffers. */
export function currentMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
