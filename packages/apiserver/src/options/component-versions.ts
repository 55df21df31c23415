import { builtinRelease, knownReleases, minorOf } from '@kubechain/apimachinery';
import { unusableFlag } from './options-error.ts';

/** What a server is of, behaves as, and goes together with (component-base/compatibility, 1.36). */
export interface EffectiveVersions {
  /** `1.36`: the release that the server is of. */
  readonly release: string;
  /** The release that it behaves as: APIs that came later are not served, features are as they were. */
  readonly emulated: string;
  /** The oldest release of components that it goes together with. */
  readonly minCompatible: string;
}

/** Flags that say it. */
export interface VersionFlags {
  readonly 'kubernetes-version'?: string;
  readonly 'emulated-version'?: readonly string[];
  readonly 'min-compatibility-version'?: readonly string[];
}

/** How many releases back a server can be made to behave (apiserver/pkg/util/compatibility, 1.36). */
const emulatedReleases = 3;

/** @throws OptionsError for a release that is out of bounds */
export function effectiveVersions(flags: VersionFlags): EffectiveVersions {
  const { version: release, gitVersion } =
    knownReleases.find(({ version }) => version === flags['kubernetes-version']) ?? builtinRelease;
  const floor = `1.${minorOf(release) - emulatedReleases}`;
  const emulated = versionOf(flags['emulated-version']) ?? release;
  const isBetween = (version: string, newest: string): boolean =>
    minorOf(version) >= minorOf(floor) && minorOf(version) <= minorOf(newest);
  if (!isBetween(emulated, release))
    throw unusableFlag(
      'emulated-version',
      `emulation version ${emulated} is not between [${floor}, ${gitVersion.replace(/^v|\.\d+$/g, '')}.0]`,
    );
  const before = `1.${Math.max(minorOf(emulated) - 1, minorOf(floor))}`;
  const minCompatible = versionOf(flags['min-compatibility-version']) ?? before;
  if (!isBetween(minCompatible, emulated))
    throw unusableFlag(
      'min-compatibility-version',
      `minCompatibilityVersion version ${minCompatible} is not between [${floor}, ${emulated}]`,
    );
  return { release, emulated, minCompatible };
}

/** Why the values of a version flag cannot be read; undefined when they can. Source: registry.go toVersionMap, 1.36. */
export function versionsProblem(values: readonly string[]): string | undefined {
  if (values.length > 1) return `duplicate version flag, kube=${values[0] ?? ''} and kube=${values[1] ?? ''}`;
  for (const value of values) {
    const [, component = 'kube', version = ''] = /^(?:([^=]*)=)?(.*)$/.exec(value) ?? [];
    if (!/^v?\d+(\.\d+)*/.test(version)) return `could not parse ${JSON.stringify(version)} as version`;
    if (!/^v?\d+\.\d+/.test(version)) return `illegal version string ${JSON.stringify(version)}`;
    const patch = /^v?\d+\.\d+\.(\d+)/.exec(version)?.[1];
    if (Number(patch ?? 0) !== 0) return `patch version not allowed, got: ${component}=${version.replace(/^v/, '')}`;
    if (component !== 'kube') return `component not registered: ${component}`;
  }
  return undefined;
}

/** `1.36` of `kube=v1.36`. */
function versionOf(values: readonly string[] = []): string | undefined {
  return /^(?:kube=)?v?(\d+\.\d+)/.exec(values.at(-1) ?? '')?.[1];
}
