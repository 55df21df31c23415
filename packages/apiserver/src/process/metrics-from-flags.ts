import { isPlainObject } from '@kubechain/apimachinery';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { parseFlagFile } from '../files/parse-flag-file.ts';
import type { FlagValues } from '../options/flag-set.ts';
import { allowedLabels, allowedLabelsProblem } from '../options/metric-labels.ts';
import type { AllowedLabels } from '../options/metric-labels.ts';
import type { metricsFlags } from '../options/metrics-flags.ts';
import { unusableFlag } from '../options/options-error.ts';

const manifestFlag = 'allow-metric-labels-manifest';

/** The metrics of one server, by --allow-metric-labels*. @throws OptionsError */
export function metricsFromFlags(flags: FlagValues<typeof metricsFlags> | undefined): MetricRegistry {
  if (flags === undefined) return new MetricRegistry();
  const registry = new MetricRegistry(labelsFromFlags(flags));
  // Nothing is hidden here, whatever --show-hidden-metrics-for-version says.
  registry.counter('hidden_metrics_total', '[BETA] The count of hidden metrics.', []);
  const disabled = registry.counter('disabled_metrics_total', '[BETA] The count of disabled metrics.', []).cell();
  disabled.set(new Set(flags['disabled-metrics'].filter((name) => name !== '')).size);
  return registry;
}

function labelsFromFlags(flags: FlagValues<typeof metricsFlags>): AllowedLabels {
  const given = flags['allow-metric-labels'];
  const manifest = flags[manifestFlag];
  if (given.size > 0 && manifest !== '')
    throw unusableFlag(manifestFlag, 'cannot be given together with --allow-metric-labels');
  const pairs = manifest === '' ? given : pairsOfManifest(manifest);
  return allowedLabels(pairs);
}

function pairsOfManifest(path: string): ReadonlyMap<string, string> {
  const content = parseFlagFile(path, manifestFlag) ?? {};
  if (!isPlainObject(content) || Object.values(content).some((value) => typeof value !== 'string'))
    throw unusableFlag(manifestFlag, `${path}: failed to parse allow list manifest: must be a map of texts`);
  const pairs = new Map(Object.entries(content as Record<string, string>));
  const problem = allowedLabelsProblem(pairs);
  if (problem !== undefined) throw unusableFlag(manifestFlag, `${path}: ${problem}`);
  return pairs;
}
