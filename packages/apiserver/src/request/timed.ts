import type { RequestContext } from './request-context.ts';

/** The phases that Server-Timing tells. `storage` of an update holds what happens between its read and its write. */
export type Phase = 'filters' | 'admission' | 'storage' | 'hop' | 'proxy' | 'total';

/** When a phase began, for `endPhase`; costs nothing for requests that nobody measures. */
export function beginPhase(context: RequestContext): number {
  return isMeasured(context) ? performance.now() : 0;
}

/** Ends what {@link beginPhase} has begun: adds its time to Server-Timing, and tells who looks at the request. */
export function endPhase(context: RequestContext, phase: Phase, startedAt: number): void {
  if (context.timingWanted === true) context.addTiming(phase, performance.now() - startedAt);
  context.observation?.add('phase', phase, startedAt);
}

/** The time until `work`, which has just begun, is settled. */
export function timed<T>(context: RequestContext, phase: Phase, work: Promise<T>): Promise<T> {
  if (!isMeasured(context)) return work;
  const startedAt = context.observation?.begin('phase', phase) ?? performance.now();
  return work.finally(() => {
    endPhase(context, phase, startedAt);
  });
}

function isMeasured({ observation, timingWanted }: RequestContext): boolean {
  return timingWanted === true || observation !== undefined;
}
