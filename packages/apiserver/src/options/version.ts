/** version.Info: what /version answers. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/**
 * The Kubernetes release whose behaviour the servers have. Build metadata after `+` does not count in version
 * comparisons.
 */
export const kubernetesVersion = 'v1.36.2';

/**
 * The version of this server; clients decide by major, minor and gitVersion.
 * @param minCompatibility `--min-compatibility-version`
 */
export function serverVersion(minCompatibility = '1.35'): VersionInfo {
  const [major = '', minor = ''] = kubernetesVersion.slice(1).split('.');
  const [minCompatibilityMajor = '', minCompatibilityMinor = ''] = minCompatibility.split('.');
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor,
    minCompatibilityMinor,
    gitVersion: `${kubernetesVersion}+kubechain`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}
