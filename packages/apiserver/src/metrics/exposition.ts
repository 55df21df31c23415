import type { MetricSample } from '@kubechain/shared-storage';
import { collectedMetrics, type CollectedMetric } from './collected-metric.ts';

/** Content type of /metrics, as the reference sends it. */
export const expositionContentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Prometheus text of all registered metrics. */
export function expositionText(): string {
  let text = '';
  for (const metric of collectedMetrics()) text += metricText(metric);
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
