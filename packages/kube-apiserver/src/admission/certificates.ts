import { admissionForbidden } from '@kubechain/apiserver/resources';
import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  Authorizer,
} from '@kubechain/apiserver/resources';
import { goQuote, isFormatError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import {
  organizationsOf,
  parseCertificateRequest,
} from '../registry/certificates/certificatesigningrequest/certificate-request.ts';
import type { ClusterTrustBundle } from '../registry/certificates/clustertrustbundle/cluster-trust-bundle.ts';
import { mayActFor } from '../registry/certificates/signer-rights.ts';
import { semanticEqual } from '../registry/semantic-equal.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';
const masters = 'system:masters';

/** Only who may `approve` for a signer approves its requests (plugin/pkg/admission/certificates/approval, 1.36). */
export class CertificateApproval implements AdmissionPlugin {
  readonly name = 'CertificateApproval';
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'UPDATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!isRequest(attributes, 'approval')) return;
    // The stored signer: the endpoint changes none.
    const { signerName } = (attributes.oldObject as CertificateSigningRequest).spec;
    if (!(await mayActFor(this.#authorizer, attributes.user, { verb: 'approve', signerName })))
      throw admissionForbidden(
        attributes,
        `user not permitted to approve requests with signerName ${goQuote(signerName)}`,
      );
  }
}

/**
 * Only who may `sign` for a signer sets certificates and conditions (plugin/pkg/admission/certificates/signing, 1.36).
 */
export class CertificateSigning implements AdmissionPlugin {
  readonly name = 'CertificateSigning';
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'UPDATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!isRequest(attributes, 'status')) return;
    const request = attributes.object as CertificateSigningRequest;
    const old = attributes.oldObject as CertificateSigningRequest;
    if (
      request.status?.certificate === old.status?.certificate &&
      semanticEqual(request.status?.conditions, old.status?.conditions)
    )
      return;
    const { signerName } = old.spec;
    if (!(await mayActFor(this.#authorizer, attributes.user, { verb: 'sign', signerName })))
      throw admissionForbidden(
        attributes,
        `user not permitted to sign requests with signerName ${goQuote(signerName)}`,
      );
  }
}

/**
 * Only who may `attest` for a signer publishes its roots of trust (plugin/pkg/admission/certificates/ctbattest, 1.37).
 */
export class ClusterTrustBundleAttest implements AdmissionPlugin {
  readonly name = 'ClusterTrustBundleAttest';
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, oldObject, operation, resource, user } = attributes;
    if (resource.group !== 'certificates.k8s.io' || resource.resource !== 'clustertrustbundles') return;
    const { signerName = '' } = (object as ClusterTrustBundle).spec ?? {};
    if (signerName === '') return;
    // Storage migration and the garbage collector leave the bundle as it is.
    if (operation === 'UPDATE' && isOnlyCollected(object as KubeObject, oldObject as KubeObject)) return;
    if (!(await mayActFor(this.#authorizer, user, { verb: 'attest', signerName })))
      throw admissionForbidden(attributes, `user not permitted to attest for signerName ${goQuote(signerName)}`);
  }
}

/** Whether nothing changes but owners and finalizers (rbac.IsOnlyMutatingGCFields of pkg/registry/rbac, 1.37). */
function isOnlyCollected(object: KubeObject, old: KubeObject): boolean {
  const rest = ({ metadata, ...fields }: KubeObject): object => {
    const { finalizers: _finalizers, managedFields: _managed, ownerReferences: _owners, ...kept } = metadata ?? {};
    return { ...fields, metadata: kept };
  };
  return semanticEqual(rest(object), rest(old));
}

/** Nobody asks to become a master by certificate (plugin/pkg/admission/certificates/subjectrestriction, 1.36). */
export class CertificateSubjectRestriction implements AdmissionPlugin {
  readonly name = 'CertificateSubjectRestriction';

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!isRequest(attributes, '')) return;
    const { spec } = attributes.object as CertificateSigningRequest;
    if (spec.signerName !== clientSigner) return;
    if ((await organizations(attributes, spec.request)).includes(masters))
      throw admissionForbidden(attributes, `use of ${clientSigner} signer with ${masters} group is not allowed`);
  }
}

async function organizations(attributes: AdmissionAttributes, request: string): Promise<readonly string[]> {
  try {
    return organizationsOf(await parseCertificateRequest(request));
  } catch (error) {
    throw isFormatError(error) ? admissionForbidden(attributes, `failed to parse CSR: ${error.message}`) : error;
  }
}

function isRequest({ resource, subresource }: AdmissionAttributes, endpoint: string): boolean {
  return (
    subresource === endpoint &&
    resource.group === 'certificates.k8s.io' &&
    resource.resource === 'certificatesigningrequests'
  );
}
