import { collectedMetrics, type CollectedMetric, type MetricSample } from './collected-metric.ts';

/** Content type of /metrics, as the reference sends it. */
export const expositionContentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Prometheus text of the collected metrics and of everything in prom-client's default registry. */
export async function expositionText(): Promise<string> {
  // Loaded with the first scrape: prom-client takes 50 ms of start-up that a process without a scraper need not spend.
  const { register } = await import('prom-client');
  const collected = collectedMetrics();
  const names = new Set(collected.map(({ name }) => name));
  let text = '';
  for (const metric of collected) text += metricText(metric);
  for (const metric of register.getMetricsAsArray()) {
    const { name } = metric as unknown as { readonly name: string };
    if (!names.has(name)) text += `${await register.getSingleMetricAsString(name)}\n`;
  }
  return text;
}

/** One metric in text form; nothing for a metric without samples, as in Go. */
export function metricText({ name, help, type, collect }: CollectedMetric): string {
  let lines = '';
  for (const sample of collect()) lines += sampleText(name, sample);
  return lines === '' ? '' : `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n${lines}`;
}

function sampleText(metric: string, { name = metric, value, labels }: MetricSample): string {
  let text = '';
  for (const [label, labelValue] of Object.entries(labels)) {
    text += `${text === '' ? '' : ','}${label}="${labelValue.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')}"`;
  }
  return text === '' ? `${name} ${value}\n` : `${name}{${text}} ${value}\n`;
}
