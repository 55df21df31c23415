import { registerCollected } from './collected-metric.ts';

/** CPU, memory and start time under the names that every Prometheus client uses. */
export function registerProcessMetrics(): void {
  const startedAt = Date.now() / 1_000 - process.uptime();
  registerCollected({ name: 'process_start_time_seconds', type: 'gauge', help: 'Start time of the process since unix epoch in seconds.' }, () => [{ value: startedAt, labels: {} }]);
  registerCollected({ name: 'process_cpu_seconds_total', type: 'counter', help: 'Total user and system CPU time spent in seconds.' }, () => {
    const { user, system } = process.cpuUsage();
    return [{ value: (user + system) / 1e6, labels: {} }];
  });
  registerCollected({ name: 'process_resident_memory_bytes', type: 'gauge', help: 'Resident memory size in bytes.' }, () => [{ value: process.memoryUsage.rss(), labels: {} }]);
}
