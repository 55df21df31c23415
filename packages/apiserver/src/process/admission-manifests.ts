import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { ConfigurationType, PluginConfigurations } from '../admission/configuration/plugin-configurations.ts';
import { ManifestMetrics } from '../admission/manifests/manifest-metrics.ts';
import type { LoadedManifests, ManifestKind, ManifestRules } from '../admission/manifests/manifest-objects.ts';
import { StaticManifests, manifestsDirectory } from '../admission/manifests/static-manifests.ts';
import { apiServerID } from '../options/api-server-id.ts';

export interface AdmissionManifestsOptions {
  readonly configurations: PluginConfigurations;
  /** Feature gate ManifestBasedAdmissionControlConfig. */
  readonly enabled: boolean;
  /** As LoadOptions. */
  readonly rules: ManifestRules | undefined;
  readonly registry: MetricRegistry;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A plugin's configuration, and which kinds its manifests hold. */
export interface ManifestPlugin {
  readonly plugin: string;
  readonly configuration: ConfigurationType;
  readonly kinds: readonly ManifestKind[];
}

/** Opens the manifests of plugins whose configurations name a directory. */
export class AdmissionManifests {
  readonly #options: AdmissionManifestsOptions;
  #metrics: ManifestMetrics | undefined;

  constructor(options: AdmissionManifestsOptions) {
    this.#options = options;
  }

  /**
   * @param make what the plugin works with; given what it made before, to be closed
   * @throws OptionsError for manifests that cannot be used
   */
  open<T>(
    { configuration, kinds, plugin }: ManifestPlugin,
    make: (loaded: LoadedManifests, before: T | undefined) => T,
  ): StaticManifests<T> | undefined {
    const { configurations, enabled, now, registry, rules } = this.#options;
    const { staticManifestsDir } = configurations.fieldsOf(plugin, configuration);
    const directory = manifestsDirectory(plugin, staticManifestsDir, enabled);
    if (directory === undefined) return undefined;
    const metrics = (this.#metrics ??= new ManifestMetrics(registry, apiServerID(), now));
    return new StaticManifests({ plugin, directory, kinds, rules, metrics }, make);
  }
}
