import type { FieldError, FieldPath, GroupResource } from '@kubechain/apimachinery';
import { invalidValue } from '@kubechain/apimachinery';

/**
 * `secrets` → the core group's, `deployments.apps`, `*.apps`, `*.` (all of the core group), `*.*`
 * (schema.ParseGroupResource).
 */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

const withoutAPI: ReadonlySet<string> = new Set([
  'apiserveripinfo',
  'serviceipallocations',
  'servicenodeportallocations',
]);

/** Checks one list of resource names (apis/apiserver/validation). */
export function validateResourceNames(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const parsed = resources.map(parseGroupResource);
  if (new Set(resources).size < resources.length)
    errors.push(invalidValue(path, [...resources], 'the same resource cannot be specified multiple times'));
  const overlap = parsed.some((one, i) =>
    parsed.some(
      (other, j) =>
        i !== j &&
        resources[i] !== resources[j] &&
        ((one.group === '*' && one.resource === '*') ||
          (one.group === other.group && (one.resource === '*' || other.resource === '*'))),
    ),
  );
  if (overlap)
    errors.push(
      invalidValue(
        path,
        [...resources],
        "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as " +
          'they will be masked',
      ),
    );
  for (const [i, resource] of resources.entries()) {
    const problem = problemOf(resource);
    if (problem !== undefined) errors.push(invalidValue(path.index(i), resource, problem));
  }
  return errors;
}

function problemOf(name: string): string | undefined {
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters';
  if (name === '*') return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (withoutAPI.has(name)) return 'resources which do not have REST API/s cannot be encrypted';
  const { group, resource } = parseGroupResource(name);
  if (group === 'events.k8s.io')
    return (
      "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the " +
      'config file'
    );
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}
