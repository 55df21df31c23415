import { fileFlag } from './file-flag.ts';
import { metricLabelsFlag } from './metric-labels.ts';
import { listFlag, stringFlag } from './flag.ts';
import { flagSet } from './flag-set.ts';

/** What /metrics shows. Source: component-base/metrics/options.go, 1.36. */
export const metricsFlags = flagSet('Metrics', {
  'allow-metric-labels': metricLabelsFlag(
    'Values of labels that are shown, `metric,label=a,b`; all others are counted as `unexpected`.',
  ),
  'allow-metric-labels-manifest': fileFlag(
    'YAML file with the same, `"metric,label": "a,b"`; not together with --allow-metric-labels.',
  ),
  'disabled-metrics': listFlag('Metrics, by their whole names, that are not shown.'),
  'show-hidden-metrics-for-version': stringFlag(
    'The release before this one, `1.35`: also shows what this one hides, which is nothing.',
    '',
    (text) =>
      text === '' || text === '1.35'
        ? undefined
        : `--show-hidden-metrics-for-version must be omitted or have the value '1.35'. Only the previous minor ` +
          `version is allowed`,
  ),
});
