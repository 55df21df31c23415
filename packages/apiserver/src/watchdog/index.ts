/** Entry point `@kubechain/apiserver/watchdog`: for processes that are no API servers, or several. */
export { EventLoopWatchdog } from './event-loop-watchdog.ts';
export type { EventLoopWatchdogOptions } from './event-loop-watchdog.ts';
export { HeapGauge, heapHeader } from './heap-gauge.ts';
export type { LoopWatchdog, WorkObserver } from './loop-watchdog.ts';
export { ThreadBeats } from './thread-beats.ts';
export type { WorkBegins } from './thread-beats.ts';
export { ThreadWatchdog } from './thread-watchdog.ts';
export type { HeldLoop } from './watch-loop.ts';
