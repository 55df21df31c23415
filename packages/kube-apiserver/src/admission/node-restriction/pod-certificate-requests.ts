import { goQuote, mirrorPodAnnotation, unclassifiedError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodCertificateRequest } from '../../registry/certificates/podcertificaterequest/request.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import type { NodeWrite } from './node-write.ts';
import { notFoundByLister } from './not-found-by-lister.ts';

type Spec = NonNullable<PodCertificateRequest['spec']>;

/**
 * Nodes ask for certificates for pods that run on them, of signers that those pods mount certificates of, or that the
 * node may ask (admitPodCertificateRequest of plugin/pkg/admission/noderestriction, 1.37). What caches may not know yet
 * is a plain error: kubelets try again.
 */
export async function checkPodCertificateRequest(write: NodeWrite): Promise<void> {
  const { attributes, node, options } = write;
  const refuse = (reason: string): Error => admissionForbidden(attributes, reason);
  if (!options.certifiesPods) throw refuse('PodCertificateRequest feature gate is disabled');
  if (attributes.operation !== 'CREATE') throw refuse(`unexpected operation ${attributes.operation}`);
  if (attributes.subresource !== '') throw refuse(`unexpected subresource ${attributes.subresource}`);
  const { namespace } = attributes;
  const spec: Spec = (attributes.object as PodCertificateRequest).spec ?? {};
  const {
    nodeName = '',
    nodeUID = '',
    podName = '',
    podUID = '',
    serviceAccountName = '',
    serviceAccountUID = '',
  } = spec;
  if (nodeName !== node)
    throw refuse(
      `PodCertificateRequest.Spec.NodeName=${goQuote(nodeName)}, which is not the requesting node ${goQuote(node)}`,
    );
  const podKey = goQuote(`${namespace}/${podName}`);
  const uidOf = ({ metadata }: KubeObject): string => metadata?.uid ?? '';
  const actualNode = await named(options.nodes, { kind: 'node', resource: 'node', name: nodeName });
  if (uidOf(actualNode) !== nodeUID)
    throw unclassifiedError(
      `PodCertificateRequest for pod ${podKey} names node UID ${goQuote(nodeUID)}, inconsistent with the running ` +
        `node (${goQuote(uidOf(actualNode))})`,
    );
  const pod = (await named(options.pods, { kind: 'pod', resource: 'pod', name: podName, namespace })) as Pod;
  if (uidOf(pod) !== podUID)
    throw unclassifiedError(
      `PodCertificateRequest for pod ${podKey} contains pod UID (${goQuote(podUID)}) which differs from running pod ` +
        goQuote(uidOf(pod)),
    );
  if (pod.spec?.nodeName !== nodeName)
    throw refuse(`pod ${podKey} is not running on node ${goQuote(nodeName)} named in the PodCertificateRequest`);
  if (pod.metadata?.annotations?.[mirrorPodAnnotation] !== undefined) throw refuse(`pod ${podKey} is a mirror pod`);
  const actualAccount = pod.spec.serviceAccountName ?? '';
  if (serviceAccountName !== actualAccount)
    throw refuse(
      `PodCertificateRequest for pod ${podKey} contains serviceAccountName (${goQuote(serviceAccountName)}) that ` +
        `differs from running pod (${goQuote(actualAccount)})`,
    );
  const account = await named(options.serviceAccounts, {
    kind: 'service account',
    resource: 'serviceaccount',
    name: serviceAccountName,
    namespace,
  });
  if (uidOf(account) !== serviceAccountUID)
    throw unclassifiedError(
      `PodCertificateRequest for pod ${podKey} names service account UID ${goQuote(serviceAccountUID)}, which ` +
        `differs from the running service account (${goQuote(uidOf(account))})`,
    );
  if (!(await mayAsk(write, pod, spec)))
    throw refuse(
      `pod ${podKey} does not mount a podCertificate projected volume for signer ${goQuote(spec.signerName ?? '')}`,
    );
}

interface Wanted {
  readonly kind: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
}

async function named(lookup: ObjectLookup, { kind, name, namespace, resource }: Wanted): Promise<KubeObject> {
  const object = await lookup.get(name, namespace);
  if (object !== undefined) return object;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  throw unclassifiedError(
    `while retrieving ${kind} ${goQuote(key)} named in the PodCertificateRequest: ` +
      notFoundByLister(resource, name).message,
  );
}

/** Whether the pod mounts a certificate of the signer, or the node may ask the signer for any. */
async function mayAsk(
  { attributes, options }: NodeWrite,
  { spec }: Pod,
  { serviceAccountName = '', signerName = '' }: Spec,
): Promise<boolean> {
  const sources = (spec?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ podCertificate }) => podCertificate?.signerName === signerName)) return true;
  const { decision } = await options.authorizer.authorize({
    user: attributes.user,
    verb: 'request-serviceaccounts-podcertificate-signer',
    namespace: attributes.namespace,
    apiGroup: attributes.resource.group,
    apiVersion: attributes.resource.version,
    // Names of resources have no slashes.
    resource: signerName.replaceAll('/', ':'),
    subresource: '',
    name: serviceAccountName,
    resourceRequest: true,
    path: '',
  });
  return decision === 'Allow';
}
