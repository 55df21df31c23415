import {
  endOfCertificate,
  readCertificateRequest,
  signRequest,
  type CertificateRequestContent,
} from '@kubechain/apiserver/certificates';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { formatTime } from '@kubechain/apimachinery';
import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { CSRController } from './csr-controller.ts';
import { hasCondition } from './csr-state.ts';
import { certificateTimes } from './certificate-times.ts';
import { clientUsagesProblem, kubeletClientProblem, kubeletServingProblem } from './kubelet-requests.ts';
import { signingFiles, type SigningFiles } from './signing-files.ts';

/** What may be wrong with an approved request, by signer. */
const rules: Readonly<
  Record<string, (request: CertificateRequestContent, usages: readonly string[]) => string | undefined>
> = {
  'kubernetes.io/kubelet-serving': kubeletServingProblem,
  'kubernetes.io/kube-apiserver-client-kubelet': kubeletClientProblem,
  'kubernetes.io/kube-apiserver-client': (_, usages) => clientUsagesProblem(usages),
  'kubernetes.io/legacy-unknown': () => undefined,
};

/**
 * Signs approved requests of the four kubernetes.io signers; undefined where no flag names an authority
 * (pkg/controller/certificates/signer, 1.36).
 * @throws OptionsError for files that do not belong together or cannot be used
 */
export function newCSRSigner(context: ControllerContext): CSRController | undefined {
  const files = signingFiles(context.flags.lifecycle);
  return files.size === 0 ? undefined : new CSRController(context, (request) => sign(request, { context, files }));
}

async function sign(
  request: CertificateSigningRequest,
  { context, files }: { readonly context: ControllerContext; readonly files: ReadonlyMap<string, SigningFiles> },
): Promise<void> {
  if (!hasCondition(request, 'Approved') || hasCondition(request, 'Denied') || hasCondition(request, 'Failed')) return;
  const { expirationSeconds, signerName, usages = [] } = request.spec;
  const authority = files.get(signerName);
  if (authority === undefined) return;
  const content = readCertificateRequest(Buffer.from(request.spec.request ?? '', 'base64'));
  const problem = rules[signerName]?.(content, usages);
  const client = context.client.resource(resources.certificatesigningrequests);
  const nowMs = context.clock.now();
  const withStatus = (status: object): CertificateSigningRequest =>
    ({ ...request, status: { ...request.status, ...status } }) as CertificateSigningRequest;
  if (problem !== undefined) {
    const condition = {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message: problem,
      lastUpdateTime: formatTime(nowMs),
    };
    await client.updateStatus(withStatus({ conditions: [...(request.status?.conditions ?? []), condition] }));
    return;
  }
  const { issuer, signingKey } = await readAuthority(authority);
  const times = certificateTimes({
    nowMs,
    longestMs: context.flags.lifecycle['cluster-signing-duration'],
    askedSeconds: expirationSeconds,
    issuerEndMs: endOfCertificate(issuer).getTime(),
  });
  const certificate = signRequest(content, { issuer, signingKey, usages, ...times });
  await client.updateStatus(withStatus({ certificate: Buffer.from(certificate).toString('base64') }));
}

/** Read for each request: they are renewed while the process runs. */
async function readAuthority(
  files: SigningFiles,
): Promise<{ readonly issuer: string; readonly signingKey: KeyObject }> {
  const [issuer, key] = await Promise.all([readFile(files.certFile, 'utf8'), readFile(files.keyFile)]);
  return { issuer, signingKey: createPrivateKey(key) };
}
