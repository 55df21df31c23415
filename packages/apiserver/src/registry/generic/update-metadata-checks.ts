/**
 * A check of the metadata that a kind's own update rules make once more; `rules` stands for the rest of these rules,
 * which come after them where it is missing, and `changes` for what it says of changes alone (`validateChange`), which
 * else comes last.
 */
export type MetadataCheck = 'changes' | 'object' | 'rules' | 'update';

const update: readonly MetadataCheck[] = ['update'];
const object: readonly MetadataCheck[] = ['object'];
const objectThenUpdate: readonly MetadataCheck[] = ['object', 'update'];
/** The whole new object first, as of a create, then what changed. */
const wholeThenUpdate: readonly MetadataCheck[] = ['object', 'rules', 'update'];
const updateThenObject: readonly MetadataCheck[] = ['update', 'object'];
const updateThenWhole: readonly MetadataCheck[] = ['update', 'changes', 'object', 'rules'];

/**
 * The built-in kinds whose update rules do not simply call ValidateObjectMetaUpdate: some validate the whole new
 * object instead, or besides, before or after (`ValidateUpdate` in pkg/registry of kube-apiserver 1.36 and what it
 * calls). Answers of the reference name a mistake in the metadata once per check.
 */
const builtIn: ReadonlyMap<string, readonly MetadataCheck[]> = new Map([
  ...rows(object, [
    'endpointslices.discovery.k8s.io',
    'csinodes.storage.k8s.io',
    'volumeattachments.storage.k8s.io',
    'limitranges',
    'flowschemas.flowcontrol.apiserver.k8s.io',
    'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
    ...[
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'mutatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'validatingwebhookconfigurations',
    ].map((resource) => `${resource}.admissionregistration.k8s.io`),
  ]),
  ...rows([], ['poddisruptionbudgets.policy']),
  ...rows(['object', 'rules', 'object'], ['persistentvolumes']),
  ...rows(wholeThenUpdate, [
    'nodes',
    'certificatesigningrequests.certificates.k8s.io',
    'ipaddresses.networking.k8s.io',
    'jobs.batch',
    'runtimeclasses.node.k8s.io',
    ...['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(
      (resource) => `${resource}.rbac.authorization.k8s.io`,
    ),
    'csistoragecapacities.storage.k8s.io',
    'storageclasses.storage.k8s.io',
  ]),
  ...rows(updateThenWhole, [
    'configmaps',
    'secrets',
    'ingressclasses.networking.k8s.io',
    'volumeattributesclasses.storage.k8s.io',
  ]),
  ...rows(updateThenObject, [
    'endpoints',
    'persistentvolumeclaims',
    'pods',
    'serviceaccounts',
    'controllerrevisions.apps',
    'ingresses.networking.k8s.io',
    'apiservices.apiregistration.k8s.io',
  ]),
  ...rows(objectThenUpdate, [
    'namespaces',
    'clustertrustbundles.certificates.k8s.io',
    'deviceclasses.resource.k8s.io',
    'resourceclaims.resource.k8s.io',
    'resourceclaimtemplates.resource.k8s.io',
  ]),
]);

/**
 * Checks of a resource's main update rules; those of subresources are `update`, unless their strategy says otherwise.
 */
export function updateMetadataChecks({
  group,
  plural,
}: {
  readonly group: string;
  readonly plural: string;
}): readonly MetadataCheck[] {
  return builtIn.get(group === '' ? plural : `${plural}.${group}`) ?? update;
}

function rows(checks: readonly MetadataCheck[], resources: readonly string[]): [string, readonly MetadataCheck[]][] {
  return resources.map((resource) => [resource, checks]);
}
