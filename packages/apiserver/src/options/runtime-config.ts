import { builtinGroups } from '@kubechain/apimachinery';

/** Versions that kube-apiserver 1.36 has beside those it serves by default, and that are not built here. */
const unbuiltVersions: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/v1alpha1',
  'admissionregistration.k8s.io/v1beta1',
  'coordination.k8s.io/v1alpha2',
  'coordination.k8s.io/v1beta1',
  'internal.apiserver.k8s.io/v1alpha1',
  'networking.k8s.io/v1beta1',
  'resource.k8s.io/v1alpha3',
  'resource.k8s.io/v1beta1',
  'resource.k8s.io/v1beta2',
  'storage.k8s.io/v1beta1',
]);

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
 */
export function runtimeConfigProblem(pairs: ReadonlyMap<string, string>): string | undefined {
  if (pairs.size === 1 && pairs.get('api/all') === 'false') return 'invalid runtime-config with only api/all=false';
  for (const [name, pattern] of matchers) {
    const value = pairs.get(name);
    if (value === undefined || value === 'false') continue;
    if (value !== 'true') return `invalid value ${name}=${value}`;
    const unbuilt = [...unbuiltVersions].filter((groupVersion) => pattern.test(groupVersion.split('/')[1] ?? ''));
    if (unbuilt.length > 0) return `not supported: ${name}=true stands for ${unbuilt.join(', ')}, which are not built`;
  }
  for (const [key, text] of pairs) {
    const problem = pairProblem(key, text);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function pairProblem(key: string, text: string): string | undefined {
  const read = readKey(key);
  if (read === undefined) return undefined;
  if (read === 'invalid') return `runtime-config invalid key ${key}`;
  const { group, resource, version } = read;
  const groupVersion = `${group}/${version}`;
  const versions = builtinGroups().find((row) => row.group === group)?.versions;
  const unbuilt = unbuiltVersions.has(groupVersion);
  if (versions === undefined && !unbuilt) return `unknown api groups ${key}`;
  if (versions?.includes(version) !== true && !unbuilt)
    return `group version ${groupVersion} that has not been registered`;
  const enabled = readValue(text);
  if (enabled === undefined)
    return `invalid value of ${key}: ${text}, err: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
  if (resource !== resource?.toLowerCase())
    return (
      `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ` +
      `${JSON.stringify(resource)}`
    );
  return enabled && unbuilt ? `not supported: ${groupVersion} is not built` : undefined;
}

/** What `--runtime-config`, which has been checked, leaves of the resources that are served by default. */
export function servedResources(pairs: ReadonlyMap<string, string>): ServesResource {
  const versions = new Map<string, boolean>();
  const resources = new Map<string, boolean>();
  for (const [key, text] of pairs) {
    const read = readKey(key);
    if (read === undefined || read === 'invalid') continue;
    const { group, resource, version } = read;
    if (resource === undefined) versions.set(`${group}/${version}`, readValue(text) === true);
    else resources.set(`${group}/${version}/${resource}`, readValue(text) === true);
  }
  const byStage = (version: string): boolean => {
    let served = true;
    for (const [name, pattern] of matchers)
      if (pairs.has(name) && pattern.test(version)) served = pairs.get(name) === 'true';
    return served;
  };
  return ({ group, resource, version }) =>
    resources.get(`${group}/${version}/${resource}`) ?? versions.get(`${group}/${version}`) ?? byStage(version);
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
