import { nodeNameOf, admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import { checkCertificateRequest } from './certificate-requests.ts';
import { checkCSINode, checkLease, checkNode, checkResourceSlice } from './node-objects.ts';
import { checkClaim } from './claims.ts';
import type { NodeRestrictionOptions, NodeWrite } from './node-write.ts';
import { checkPodCertificateRequest } from './pod-certificate-requests.ts';
import { checkPod, checkPodEviction, checkPodStatus } from './pods.ts';
import { checkTokenRequest } from './token-requests.ts';

/** What is said of writes to one kind of object. @throws StatusError 403, or 404 for what the write refers to */
type Check = (write: NodeWrite) => void | Promise<void>;

/**
 * Lets kubelets write only their own Node, the pods that are bound to them, and what belongs to both
 * (plugin/pkg/admission/noderestriction, 1.36 and 1.37).
 */
export class NodeRestriction implements AdmissionPlugin {
  readonly name = 'NodeRestriction';
  readonly #options: NodeRestrictionOptions;

  constructor(options: NodeRestrictionOptions) {
    this.#options = options;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation !== 'CONNECT';
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    const node = nodeNameOf(attributes.user);
    if (node === undefined) return;
    if (node === '')
      throw admissionForbidden(
        attributes,
        `could not determine node from user ${JSON.stringify(attributes.user.name)}`,
      );
    return checkOf(attributes)?.({ node, attributes, options: this.#options });
  }
}

function checkOf({ resource: { group, resource }, subresource }: AdmissionAttributes): Check | undefined {
  switch (group === '' ? resource : `${resource}.${group}`) {
    case 'pods':
      return podCheck(subresource);
    case 'nodes':
      return checkNode;
    case 'persistentvolumeclaims':
      return checkClaim;
    case 'serviceaccounts':
      return checkTokenRequest;
    case 'podcertificaterequests.certificates.k8s.io':
      return checkPodCertificateRequest;
    case 'leases.coordination.k8s.io':
      return checkLease;
    case 'csinodes.storage.k8s.io':
      return checkCSINode;
    case 'resourceslices.resource.k8s.io':
      return checkResourceSlice;
    case 'certificatesigningrequests.certificates.k8s.io':
      return checkCertificateRequest;
    default:
      return undefined;
  }
}

function podCheck(subresource: string): Check {
  switch (subresource) {
    case '':
      return checkPod;
    case 'status':
      return checkPodStatus;
    case 'eviction':
      return checkPodEviction;
    default:
      return ({ attributes }) => {
        throw admissionForbidden(
          attributes,
          `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`,
        );
      };
  }
}
