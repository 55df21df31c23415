import type { TimerClock } from '@kubechain/apimachinery';
import { HeapGauge } from '../watchdog/heap-gauge.ts';
import type { Assembly } from './assembly.ts';

/** The gauge of the heap that all servers of an assembly have in common; it looks once it is started. */
export function openHeapGauge(assembly: Assembly, clock: TimerClock): HeapGauge {
  return assembly.open(
    'heap gauge',
    () => new HeapGauge({ clock }),
    (opened) => {
      opened.close();
    },
  );
}
