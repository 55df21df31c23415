/** The only release whose behaviour is built. */
const emulated = '1.36';
/** Releases that components may be of, as kube-apiserver 1.36 names them. */
const compatible = ['1.33', '1.34', '1.35', '1.36'];
/** What --min-compatibility-version is when it is not given. */
const compatibleByDefault = '1.35';

/** Why `--emulated-version` cannot be had; undefined when it can. */
export function emulationProblem(values: readonly string[]): string | undefined {
  return versionsProblem(values, (version) =>
    version === emulated
      ? undefined
      : compatible.includes(version)
        ? `not supported: only the behaviour of ${emulated} is built`
        : `EmulationVersion ${version} is not between [1.33, ${emulated}]`,
  );
}

/** Why `--min-compatibility-version` cannot be had; undefined when it can. */
export function compatibilityProblem(values: readonly string[]): string | undefined {
  return versionsProblem(values, (version) =>
    compatible.includes(version) ? undefined : `minCompatibilityVersion ${version} is not between [1.33, ${emulated}]`,
  );
}

/** The release of --min-compatibility-version, for /version. */
export function minCompatibility(values: readonly string[]): string {
  return values.map((value) => value.replace(/^kube=/, '')).at(-1) ?? compatibleByDefault;
}

/** Source: component-base/compatibility/registry.go toVersionMap, 1.36. */
function versionsProblem(
  values: readonly string[],
  problemOf: (version: string) => string | undefined,
): string | undefined {
  if (values.length > 1) return `duplicate version flag, kube=${values[0] ?? ''} and kube=${values[1] ?? ''}`;
  for (const value of values) {
    const [, component = 'kube', version = ''] = /^(?:([^=]*)=)?(.*)$/.exec(value) ?? [];
    if (component !== 'kube') return `component not registered: ${component}`;
    if (/^\d+\.\d+\.\d+/.test(version)) return `patch version not allowed, got: kube=${version}`;
    if (!/^\d+\.\d+$/.test(version)) return `illegal version string ${JSON.stringify(version)}`;
    const problem = problemOf(version);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
