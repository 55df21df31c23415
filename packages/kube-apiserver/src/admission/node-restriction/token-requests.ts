import { isNotFound } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { TokenRequest } from '@kubechain/apimachinery/types/authentication/v1';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@kubechain/apimachinery/types/core/v1';
import type { CSIDriver } from '@kubechain/apimachinery/types/storage/v1';
import type { ObjectLookup } from '../object-lookup.ts';
import type { NodeWrite } from './node-write.ts';
import { notFoundByLister } from './not-found-by-lister.ts';
import { boundPod } from './pods.ts';

/** Drivers that took over volumes of Kubernetes' own (csi-translation-lib, 1.36). */
const driversOfPlugins: readonly (readonly [
  source: keyof Volume & keyof NonNullable<PersistentVolume['spec']>,
  driver: string,
])[] = [
  ['awsElasticBlockStore', 'ebs.csi.aws.com'],
  ['gcePersistentDisk', 'pd.csi.storage.gke.io'],
  ['cinder', 'cinder.csi.openstack.org'],
  ['azureDisk', 'disk.csi.azure.com'],
  ['azureFile', 'file.csi.azure.com'],
  ['vsphereVolume', 'csi.vsphere.vmware.com'],
  ['portworxVolume', 'pxd.portworx.com'],
];

/**
 * Nodes ask for tokens for pods that are bound to them, for audiences that those pods name or that they may ask for.
 */
export async function checkTokenRequest(write: NodeWrite): Promise<void> {
  const { attributes, node } = write;
  if (attributes.operation !== 'CREATE' || attributes.subresource !== 'token') return;
  const refuse = (reason: string): Error => admissionForbidden(attributes, reason);
  const { spec } = attributes.object as TokenRequest;
  const { apiVersion, kind, name = '', uid = '' } = spec?.boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '') throw refuse('node requested token not bound to a pod');
  if (uid === '') throw refuse('node requested token with a pod binding without a uid');
  const pod = await boundPod(write, name);
  if (pod.metadata?.uid !== uid)
    throw refuse(
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have ` +
        'been deleted and then recreated',
    );
  if (pod.spec?.nodeName !== node) throw refuse('node requested token bound to a pod scheduled on a different node');
  if (!write.options.checksAudiences) return;
  const reason = await refusedAudience(write, pod, spec?.audiences ?? []);
  if (reason !== undefined) throw refuse(reason);
}

async function refusedAudience(write: NodeWrite, pod: Pod, audiences: readonly string[]): Promise<string | undefined> {
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const [audience = ''] = audiences;
  const quoted = JSON.stringify(audience);
  const problems: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    try {
      if (await namesAudience(write, { pod, volume, audience })) return undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0)
    return (
      `error validating audience ${quoted}: ` +
      `${problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`}`
    );
  const { attributes, options } = write;
  const { decision } = await options.authorizer.authorize({
    user: attributes.user,
    verb: 'request-serviceaccounts-token-audience',
    namespace: attributes.namespace,
    apiGroup: '',
    apiVersion: 'v1',
    resource: audience,
    subresource: '',
    name: attributes.name,
    resourceRequest: true,
    path: '',
  });
  return decision === 'Allow'
    ? undefined
    : `audience ${quoted} not found in pod spec volume, ${attributes.user.name} is not authorized to request ` +
        'tokens for this audience';
}

/**
 * Whether a volume is there for such tokens: projected, or of a driver that asks for them. @throws StatusError NotFound
 */
async function namesAudience(
  { options }: NodeWrite,
  { audience, pod, volume }: { readonly pod: Pod; readonly volume: Volume; readonly audience: string },
): Promise<boolean> {
  if (
    (volume.projected?.sources ?? []).some(
      ({ serviceAccountToken }) =>
        serviceAccountToken !== undefined && (serviceAccountToken.audience ?? '') === audience,
    )
  )
    return true;
  let driver: string;
  if (volume.ephemeral?.volumeClaimTemplate !== undefined)
    driver = await driverOfClaim(options, pod, `${pod.metadata?.name ?? ''}-${volume.name}`);
  else if (volume.persistentVolumeClaim !== undefined)
    driver = await driverOfClaim(options, pod, volume.persistentVolumeClaim.claimName);
  else driver = driverOf(volume);
  if (driver === '') return false;
  const { spec } = (await found(options.drivers, 'csidriver', { name: driver, group: 'storage.k8s.io' })) as CSIDriver;
  return (spec.tokenRequests ?? []).some((request) => request.audience === audience);
}

async function driverOfClaim({ claims, volumes }: NodeWrite['options'], pod: Pod, claim: string): Promise<string> {
  const { spec } = (await found(claims, 'persistentvolumeclaim', {
    name: claim,
    namespace: pod.metadata?.namespace ?? '',
  })) as PersistentVolumeClaim;
  return driverOf(
    ((await found(volumes, 'persistentvolume', { name: spec?.volumeName ?? '' })) as PersistentVolume).spec ?? {},
  );
}

function driverOf(source: Partial<Volume> | NonNullable<PersistentVolume['spec']>): string {
  return source.csi?.driver ?? driversOfPlugins.find(([plugin]) => source[plugin] !== undefined)?.[1] ?? '';
}

async function found(
  lookup: ObjectLookup,
  resource: string,
  { group, name, namespace }: { readonly name: string; readonly namespace?: string; readonly group?: string },
): Promise<KubeObject> {
  const object = await (namespace === undefined ? lookup.get(name) : lookup.get(name, namespace));
  if (object === undefined) throw notFoundByLister(resource, name, group);
  return object;
}
