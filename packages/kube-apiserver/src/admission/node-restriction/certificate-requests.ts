import { isFormatError } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import { parseCertificateRequest } from '../../registry/certificates/certificatesigningrequest/certificate-request.ts';
import type { NodeWrite } from './node-write.ts';

const kubeletSigners: ReadonlySet<string> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);

/** A node asks for certificates of its own name only; the signer looks at the rest. */
export async function checkCertificateRequest({ attributes, node }: NodeWrite): Promise<void> {
  if (attributes.operation !== 'CREATE') return;
  const { spec } = attributes.object as CertificateSigningRequest;
  if (!kubeletSigners.has(spec.signerName)) return;
  const name = `system:node:${node}`;
  let names: readonly string[];
  try {
    names = (await parseCertificateRequest(spec.request)).subjectName.getField('CN');
  } catch (error) {
    throw isFormatError(error) ? admissionForbidden(attributes, `unable to parse csr: ${error.message}`) : error;
  }
  if (names.at(-1) !== name) throw admissionForbidden(attributes, `can only create a node CSR with CN=${name}`);
}
