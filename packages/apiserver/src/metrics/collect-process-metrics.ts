import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client';

/**
 * Adds `process_*`, `nodejs_*` and `go_goroutines` of this process to a registry. Observes the event loop from now on:
 * once for a process. Processor time counts from the start of the process.
 */
export function collectProcessMetrics(register: Registry): void {
  const usedBefore = process.cpuUsage();
  collectDefaultMetrics({ register });
  countProcessorFromStart(register, usedBefore);
  const goroutines: Gauge = new Gauge({
    name: 'go_goroutines',
    help:
      'Handles, timers and requests that are under way in the event loop: what there is of what dashboards ' +
      'of Go programs look for under this name.',
    registers: [register],
    collect: (): void => goroutines.set(process.getActiveResourcesInfo().length),
  });
}

/** Adds what prom-client leaves out: it counts from when it is told to. */
function countProcessorFromStart(register: Registry, { system, user }: NodeJS.CpuUsage): void {
  for (const [part, microseconds] of [
    ['user_', user],
    ['system_', system],
    ['', user + system],
  ] as const) {
    const counter = register.getSingleMetric(`process_cpu_${part}seconds_total`);
    if (counter instanceof Counter) counter.inc(microseconds / 1e6);
  }
}
