import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { FeatureGates } from '../options/feature-gates.ts';
import type { VersionInfo } from '../options/version.ts';

/** What every component of Kubernetes shows of itself (component-base/metrics, 1.36). */
export function registerComponentMetrics(
  registry: MetricRegistry,
  { featureGates, version }: { readonly featureGates: FeatureGates; readonly version: VersionInfo },
): void {
  registry.collected(
    {
      name: 'kubernetes_feature_enabled',
      type: 'gauge',
      help: '[BETA] This metric records the data about the stage and enablement of a k8s feature.',
    },
    () =>
      featureGates.all().map(({ enabled, name, stage }) => ({
        value: enabled ? 1 : 0,
        labels: { name, stage: stage === 'GA' ? '' : stage },
      })),
  );
  registry.collected(
    {
      name: 'kubernetes_build_info',
      type: 'gauge',
      help:
        "[BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git " +
        'tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on ' +
        'which it is running.',
    },
    () => {
      return [
        {
          value: 1,
          labels: {
            build_date: version.buildDate,
            compiler: version.compiler,
            git_commit: version.gitCommit,
            git_tree_state: version.gitTreeState,
            git_version: version.gitVersion,
            go_version: version.goVersion,
            major: version.major,
            minor: version.minor,
            platform: version.platform,
          },
        },
      ];
    },
  );
  registry.collected(
    {
      name: 'version_info',
      type: 'gauge',
      help:
        '[ALPHA] Provides the compatibility version info of the component. The component label is the name ' +
        'of the component, usually kube, but is relevant for aggregated-apiservers.',
    },
    () => {
      const { emulationMajor, emulationMinor, minCompatibilityMajor, minCompatibilityMinor } = version;
      return [
        {
          value: 1,
          labels: {
            binary: version.gitVersion.replace(/^v/, '').split('+', 1)[0] ?? '',
            component: 'kube',
            emulation: `${emulationMajor}.${emulationMinor}`,
            min_compat: `${minCompatibilityMajor}.${minCompatibilityMinor}`,
          },
        },
      ];
    },
  );
}
