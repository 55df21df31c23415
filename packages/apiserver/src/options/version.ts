import { builtinRelease } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import { effectiveVersions } from './component-versions.ts';
import type { EffectiveVersions } from './component-versions.ts';

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
 * The version of a server of this release; clients decide by major, minor and gitVersion. Build metadata after `+` does
 * not count in version comparisons.
 * @param minCompatibility `--min-compatibility-version`
 */
export function serverVersion(
  { gitVersion, version }: Pick<Release, 'version' | 'gitVersion'> = builtinRelease,
  { emulated, minCompatible }: Pick<EffectiveVersions, 'emulated' | 'minCompatible'> = effectiveVersions({}),
): VersionInfo {
  const [major = '', minor = ''] = version.split('.');
  const [emulationMajor = '', emulationMinor = ''] = emulated.split('.');
  const [minCompatibilityMajor = '', minCompatibilityMinor = ''] = minCompatible.split('.');
  return {
    major,
    minor,
    emulationMajor,
    emulationMinor,
    minCompatibilityMajor,
    minCompatibilityMinor,
    gitVersion: `${gitVersion}+kubechain`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}
