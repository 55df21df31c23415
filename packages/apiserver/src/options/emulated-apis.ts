import { compareVersions, formatGroupVersion, minorOf } from '@kubechain/apimachinery';
import type { Release, ResourceFacts } from '@kubechain/apimachinery';
import { effectiveVersions } from './component-versions.ts';
import { featureGatesOf } from './feature-gates.ts';
import type { VersionFlags } from './component-versions.ts';
import { unusableFlag } from './options-error.ts';
import { enabledByName, flowControlProblem, runtimeConfigProblem, servedResources } from './runtime-config.ts';
import type { ServesResource } from './runtime-config.ts';

/** What --runtime-config and the flags about emulated releases say. */
export interface EmulatedAPIs {
  readonly runtimeConfig: ReadonlyMap<string, string>;
  /** `1.36` */
  readonly emulated: string;
  /** `--emulation-forward-compatible` */
  readonly forwardCompatible: boolean;
  /** `--runtime-config-emulation-forward-compatible` */
  readonly runtimeConfigForwardCompatible: boolean;
}

/**
 * What is served of a release that behaves as an earlier one: what came later is not, unless a flag says so. Source:
 * apiserver/pkg/server/deleted_kinds.go, 1.36.
 * @throws OptionsError where --runtime-config asks for what the emulated release does not have
 */
export function emulatedResources(release: Release, options: EmulatedAPIs): ServesResource {
  const { emulated, forwardCompatible, runtimeConfig, runtimeConfigForwardCompatible } = options;
  const isGone = goneAt(release, emulated);
  const all = [...release.resources, ...release.optional];
  const asked = servedResources(runtimeConfig, { forwardFrom: forwardCompatible ? all : undefined });
  const byConfig: ServesResource = (resource) => asked(resource) && !isGone(resource);
  if (emulated === release.version) return byConfig;
  const { resources: named, versions: namedVersions } = enabledByName(runtimeConfig);
  const isThere = ({ introduced = '1.0' }: ResourceFacts): boolean => minorOf(introduced) <= minorOf(emulated);
  const rows = all.filter(byConfig);
  const served = new Set<string>();
  // Lower versions first: whether one of them is served counts for those above.
  const lower = new Set<string>();
  for (const row of rows.toSorted((a, b) => compareVersions(b.version, a.version))) {
    const name = nameOf(row);
    const groupVersion = formatGroupVersion(row);
    const isAsked = named.has(name) || namedVersions.has(groupVersion);
    const resource = `${row.group}/${row.resource}`;
    if (isThere(row) || (forwardCompatible && lower.has(resource)) || (runtimeConfigForwardCompatible && isAsked)) {
      served.add(name);
      if (!/alpha/.test(row.version)) lower.add(resource);
    } else if (named.has(name))
      throw unusableFlag(
        'runtime-config',
        `cannot enable resource ${row.group}/${row.version}, Resource=${row.resource} in runtime-config because it ` +
          `is introduced at ${row.introduced ?? ''} after the current version ${emulated}. Consider setting ` +
          `--runtime-config-emulation-forward-compatible=true`,
      );
  }
  for (const groupVersion of namedVersions) {
    const ofVersion = rows.filter((row) => formatGroupVersion(row) === groupVersion);
    if (ofVersion.length > 0 && !ofVersion.some((row) => served.has(nameOf(row))))
      throw unusableFlag(
        'runtime-config',
        `cannot enable version ${groupVersion} in runtime-config because all the resources have been introduced ` +
          `after the current version ${emulated}. Consider setting --runtime-config-emulation-forward-compatible=true`,
      );
  }
  return (resource) => served.has(nameOf(resource));
}

/** Tells what was there before the emulated release, and is not any more. */
function goneAt({ optional }: Release, emulated: string): ServesResource {
  const gone = new Set(
    optional
      .filter(({ removed }) => removed !== undefined && minorOf(removed) <= minorOf(emulated))
      .map((row) => nameOf(row)),
  );
  return (resource) => gone.has(nameOf(resource));
}

interface Values {
  readonly features: {
    readonly 'feature-gates': ReadonlyMap<string, string>;
    readonly 'enable-priority-and-fairness': boolean;
  };
  readonly apiEnablement: { readonly 'runtime-config': ReadonlyMap<string, string> };
  readonly generic: VersionFlags & {
    readonly 'emulation-forward-compatible': boolean;
    readonly 'runtime-config-emulation-forward-compatible': boolean;
  };
}

/** What a server's flags let be served of its release. @throws OptionsError */
export function emulatedAPIsOf(release: Release, values: Values): ServesResource {
  const { apiEnablement, generic } = values;
  const { emulated } = effectiveVersions(generic);
  const forwardCompatible = generic['emulation-forward-compatible'];
  const runtimeConfigForwardCompatible = generic['runtime-config-emulation-forward-compatible'];
  if (emulated === release.version)
    for (const flag of ['emulation-forward-compatible', 'runtime-config-emulation-forward-compatible'] as const)
      if (generic[flag])
        throw unusableFlag(flag, 'cannot be set to true if the emulation version is the same as the binary version');
  const runtimeConfig = apiEnablement['runtime-config'];
  const problem =
    (values.features['enable-priority-and-fairness'] ? flowControlProblem(runtimeConfig) : undefined) ??
    runtimeConfigProblem(runtimeConfig, release);
  if (problem !== undefined) throw unusableFlag('runtime-config', problem);
  const serves = emulatedResources(release, {
    runtimeConfig,
    emulated,
    forwardCompatible,
    runtimeConfigForwardCompatible,
  });
  const gates = featureGatesOf(values);
  const gateOf = new Map(release.optional.map((row) => [nameOf(row), row.gate]));
  return (resource) => {
    const gate = gateOf.get(nameOf(resource));
    return (gate === undefined || gates.enabled(gate)) && serves(resource);
  };
}

function nameOf({ group, resource, version }: Pick<ResourceFacts, 'group' | 'version' | 'resource'>): string {
  return `${group}/${version}/${resource}`;
}
