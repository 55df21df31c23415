import { builtinScheme, compareVersions, formatGroupVersion, knownReleases } from '@kubechain/apimachinery';
import type { GroupVersion, Release } from '@kubechain/apimachinery';

/** Versions by how far they have come, in the order in which these keys are applied. */
const matchers: ReadonlyMap<string, RegExp> = new Map([
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
]);

/** Groups that other servers of the chain serve: what is said of them is theirs to follow. */
export type ServesResource = (resource: {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}) => boolean;

/**
 * Why `--runtime-config` cannot be had; undefined when it can. Source: apiserver/pkg/server/options/api_enablement.go
 * and resourceconfig/helpers.go, 1.36.
 * @param release whose versions there are; absent while it is not known: those of all releases
 */
export function runtimeConfigProblem(pairs: ReadonlyMap<string, string>, release?: Release): string | undefined {
  if (pairs.size === 1 && pairs.get('api/all') === 'false') return 'invalid runtime-config with only api/all=false';
  const unknown = new Set<string>();
  for (const key of pairs.keys()) {
    const read = readKey(key);
    if (read === 'invalid') return `runtime-config invalid key ${key}`;
    if (read !== undefined && registeredVersions(read.group, release).size === 0) unknown.add(formatGroupVersion(read));
  }
  if (unknown.size > 0) return `unknown api groups ${[...unknown].toSorted().join(',')}`;
  for (const name of matchers.keys()) {
    const value = pairs.get(name);
    if (value === undefined || value === 'false') continue;
    if (value !== 'true') return `invalid value ${name}=${value}`;
  }
  for (const [key, text] of pairs) {
    const problem = pairProblem(key, text, release);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Why flow control cannot have the APIs that it follows; undefined when it can. Source:
 * kubernetes/pkg/controlplane/apiserver/options/validation.go, 1.36.
 */
export function flowControlProblem(pairs: ReadonlyMap<string, string>): string | undefined {
  for (const key of ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all']) {
    if (pairs.get(key) === 'true') return undefined;
    if (pairs.get(key) === 'false') return `${key}=false conflicts with --enable-priority-and-fairness=true`;
  }
  return undefined;
}

/** What is wrong with one key of a known group, or with its value. */
function pairProblem(key: string, text: string, release: Release | undefined): string | undefined {
  const read = readKey(key);
  if (read === undefined || read === 'invalid') return undefined;
  const { group, resource, version } = read;
  if (!registeredVersions(group, release).has(version))
    return `group version ${formatGroupVersion({ group, version })} that has not been registered`;
  const enabled = readValue(text);
  if (enabled === undefined)
    return `invalid value of ${key}: ${text}, err: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
  if (resource !== resource?.toLowerCase())
    return (
      `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ` +
      `${JSON.stringify(resource)}`
    );
  return undefined;
}

/** Groups of forms that are no API, whose versions nobody can ask for. */
const formsOnly: ReadonlySet<string> = new Set(['apidiscovery.k8s.io', 'audit.k8s.io', 'meta.k8s.io']);

/** Versions that may be named and have no resource in any release. Source: kube-aggregator's scheme, 1.36. */
const withoutResources: ReadonlyMap<string, readonly string[]> = new Map([['apiregistration.k8s.io', ['v1beta1']]]);

/** Every version of a group that can be asked for: those that have types, also where no resource is left of them. */
function registeredVersions(group: string, release: Release | undefined): ReadonlySet<string> {
  if (formsOnly.has(group)) return new Set();
  const empty = withoutResources.get(group) ?? [];
  if (release !== undefined) return new Set([...release.scheme.versions(group), ...empty]);
  const ofReleases = knownReleases.flatMap(({ groupVersions = [] }) =>
    groupVersions.flatMap((name) => (name.startsWith(`${group}/`) ? [name.slice(group.length + 1)] : [])),
  );
  return new Set([...builtinScheme().versions(group), ...ofReleases, ...empty]);
}

/** Versions that stages turn on though no resource is left of them. Source: kubernetes/pkg/controlplane, 1.36. */
const emptyVersions: readonly GroupVersion[] = [
  { group: 'authentication.k8s.io', version: 'v1beta1' },
  { group: 'flowcontrol.apiserver.k8s.io', version: 'v1beta1' },
];

/**
 * What `--runtime-config`, which has been checked, lets be served: without it, what is generally available.
 * `forwardFrom` (`--emulation-forward-compatible`): versions of the release; with one that is turned on, by name or by
 * its stage, also what is better of the same group is, unless it is turned off by name. Absent: only what is asked for.
 * Source: resourceconfig/helpers.go, EmulationForwardCompatibleResourceConfig.
 */
export function servedResources(
  pairs: ReadonlyMap<string, string>,
  { forwardFrom }: { readonly forwardFrom?: readonly GroupVersion[] | undefined } = {},
): ServesResource {
  const named = namedResources(pairs);
  const isBetter = forwardFrom === undefined ? () => false : betterThanEnabled(pairs, forwardFrom);
  return (resource) => named(resource) ?? (servedByStage(pairs, resource.version) || isBetter(resource));
}

function servedByStage(pairs: ReadonlyMap<string, string>, version: string): boolean {
  let served = /^v\d+$/.test(version);
  for (const [name, pattern] of matchers)
    if (pairs.has(name) && pattern.test(version)) served = pairs.get(name) === 'true';
  return served;
}

/** Whether something is in a better version than one, no alpha one, that is turned on. */
function betterThanEnabled(pairs: ReadonlyMap<string, string>, known: readonly GroupVersion[]): ServesResource {
  const { resources, versions } = namedIn(pairs);
  const enabled = new Map<string, Key>();
  for (const { group, version } of [...known, ...emptyVersions])
    if (servedByStage(pairs, version) && versions.get(`${group}/${version}`) !== false)
      enabled.set(`${group}/${version}`, { group, version, resource: undefined });
  for (const [name, isOn] of [...versions, ...resources]) {
    const [group = '', version = '', resource] = name.split('/');
    if (isOn) enabled.set(name, { group, version, resource });
  }
  const lower = [...enabled.values()].filter(({ version }) => !/alpha/.test(version));
  return ({ group, resource, version }) =>
    lower.some(
      (other) =>
        other.group === group &&
        (other.resource ?? resource) === resource &&
        compareVersions(version, other.version) < 0,
    );
}

/**
 * Of removed versions, `group/version`, that are asked for by name: all that `--runtime-config` does not take out by
 * name.
 */
export function servedLegacyResources(pairs: ReadonlyMap<string, string>, wanted: readonly string[]): ServesResource {
  const named = namedResources(pairs);
  return (resource) => wanted.includes(`${resource.group}/${resource.version}`) && named(resource) !== false;
}

/** What is said of a version or a resource by its name; undefined where nothing is. */
function namedResources(
  pairs: ReadonlyMap<string, string>,
): (resource: Parameters<ServesResource>[0]) => boolean | undefined {
  const { resources, versions } = namedIn(pairs);
  return ({ group, resource, version }) =>
    resources.get(`${group}/${version}/${resource}`) ?? versions.get(`${group}/${version}`);
}

/** Versions (`apps/v1`, `v1`) and resources (`apps/v1/deployments`) that are turned on by name. */
export function enabledByName(pairs: ReadonlyMap<string, string>): {
  readonly versions: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
} {
  const { resources, versions } = namedIn(pairs);
  const enabled = (named: ReadonlyMap<string, boolean>): ReadonlySet<string> =>
    new Set([...named].flatMap(([name, value]) => (value ? [name] : [])));
  return {
    versions: new Set([...enabled(versions)].map((name) => name.replace(/^\//, ''))),
    resources: enabled(resources),
  };
}

/** What is turned on or off by name; the core group's version is `/v1`. */
function namedIn(pairs: ReadonlyMap<string, string>): Record<'versions' | 'resources', Map<string, boolean>> {
  const versions = new Map<string, boolean>();
  const resources = new Map<string, boolean>();
  for (const [key, text] of pairs) {
    const read = readKey(key);
    if (read === undefined || read === 'invalid') continue;
    const { group, resource, version } = read;
    if (resource === undefined) versions.set(`${group}/${version}`, readValue(text) === true);
    else resources.set(`${group}/${version}/${resource}`, readValue(text) === true);
  }
  return { versions, resources };
}

interface Key {
  readonly group: string;
  readonly version: string;
  readonly resource: string | undefined;
}

/** Undefined for keys that name no version: whole stages, and `api/legacy`, which does nothing any more. */
function readKey(key: string): Key | 'invalid' | undefined {
  if (matchers.has(key) || key === 'api/legacy') return undefined;
  // Ways to say the core group.
  const [group = '', version, resource, ...more] = key.replace(/^(?:api\/)?v1(?=$|\/)/, '/v1').split('/');
  return version === undefined || more.length > 0 ? 'invalid' : { group, version, resource };
}

/** As Go's strconv.ParseBool; no value is true. */
function readValue(text: string): boolean | undefined {
  if (['', '1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : undefined;
}
