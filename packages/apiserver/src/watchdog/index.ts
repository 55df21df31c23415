/** Entry point `@kubechain/apiserver/watchdog`: for processes that are no API servers, or several. */
export { EventLoopWatchdog } from './event-loop-watchdog.ts';
export type { EventLoopWatchdogOptions } from './event-loop-watchdog.ts';
export { HeapGauge } from './heap-gauge.ts';
