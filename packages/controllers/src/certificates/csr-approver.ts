import { readCertificateRequest, type CertificateRequestContent } from '@kubechain/apiserver/certificates';
import type { SubjectAccessReview } from '@kubechain/apimachinery/types/authorization/v1';
import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import type { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { CSRController, RequestRefusedError } from './csr-controller.ts';
import { hasCondition } from './csr-state.ts';
import { kubeletClientProblem } from './kubelet-requests.ts';

const signerName = 'kubernetes.io/kube-apiserver-client-kubelet';

/** What requests are approved by themselves, and what right that takes. */
const recognised = [
  {
    subresource: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
    is: ({ spec }: CertificateSigningRequest, { commonName }: CertificateRequestContent) =>
      spec.username === commonName,
  },
  {
    subresource: 'nodeclient',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    is: () => true,
  },
] as const;

/**
 * Approves requests of kubelets for certificates of clients, where who asks may (certificatesigningrequests/nodeclient
 * and selfnodeclient). Source: pkg/controller/certificates/approver, 1.36.
 */
export function newCSRApprover(context: ControllerContext): CSRController {
  return new CSRController(context, (request) => approve(request, context.client));
}

async function approve(request: CertificateSigningRequest, client: Client): Promise<void> {
  if (hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
  if (request.spec.signerName !== signerName) return;
  const content = readCertificateRequest(Buffer.from(request.spec.request ?? '', 'base64'));
  if (kubeletClientProblem(content, request.spec.usages ?? []) !== undefined) return;
  const tried: string[] = [];
  for (const { is, message, subresource } of recognised) {
    if (!is(request, content)) continue;
    tried.push(subresource);
    if (!(await mayAsk(request, { client, subresource }))) continue;
    const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
    await client.resource(resources.certificatesigningrequests).update(
      {
        ...request,
        status: { ...request.status, conditions: [...(request.status?.conditions ?? []), condition] },
      } as CertificateSigningRequest,
      'approval',
    );
    return;
  }
  throw new RequestRefusedError(
    `recognized csr "${request.metadata?.name ?? ''}" as [${tried.join(' ')}] but subject access review was ` +
      'not approved',
  );
}

async function mayAsk(
  { spec }: CertificateSigningRequest,
  { client, subresource }: { readonly client: Client; readonly subresource: string },
): Promise<boolean> {
  const review = {
    spec: {
      user: spec.username,
      uid: spec.uid,
      groups: spec.groups,
      extra: spec.extra,
      resourceAttributes: {
        group: 'certificates.k8s.io',
        resource: 'certificatesigningrequests',
        verb: 'create',
        version: '*',
        subresource,
      },
    },
  } as SubjectAccessReview;
  const { status } = await client.resource(resources.subjectaccessreviews).create<SubjectAccessReview>(review);
  return status?.allowed === true;
}
