/** How long a metric may be counted on, as its help says. */
export interface MetricStability {
  /** `ALPHA`, `BETA`, `STABLE` or `INTERNAL`; ALPHA where nothing is said. */
  readonly level: string;
  /** `1.34.0`, or empty for those that stay. */
  readonly deprecatedVersion: string;
}

const experiment = 'EXPERIMENTAL: ';
const deprecated = '(Deprecated since ';

/**
 * Reads what component-base writes in front of helps: `[STABLE] (Deprecated since 1.34.0) Number of…`
 * (component-base/metrics/opts.go, 1.36).
 */
export function stabilityOf(help: string): MetricStability {
  const stated = help.startsWith(experiment) ? help.slice(experiment.length) : help;
  const end = stated.startsWith('[') ? stated.indexOf('] ') : -1;
  if (end < 0) return { level: 'ALPHA', deprecatedVersion: '' };
  const level = stated.slice(1, end);
  const rest = stated.slice(end + 2);
  if (!rest.startsWith(deprecated)) return { level, deprecatedVersion: '' };
  return { level, deprecatedVersion: rest.slice(deprecated.length, rest.indexOf(')')) };
}
