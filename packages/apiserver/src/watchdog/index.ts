/** Entry point `@kubechain/apiserver/watchdog`: for processes that are no API servers. */
export { EventLoopWatchdog } from './event-loop-watchdog.ts';
export type { EventLoopWatchdogOptions } from './event-loop-watchdog.ts';
