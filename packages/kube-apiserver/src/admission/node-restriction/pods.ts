import { mirrorPodAnnotation } from '@kubechain/apimachinery';
import { notFoundByLister } from './not-found-by-lister.ts';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { semanticEqual } from '../../registry/semantic-equal.ts';
import { apiReference } from './api-references.ts';
import type { NodeWrite } from './node-write.ts';

/** Nodes create mirror pods of their own, and delete what is bound to them. */
export async function checkPod(write: NodeWrite): Promise<void> {
  const { attributes, node } = write;
  switch (attributes.operation) {
    case 'CREATE':
      return checkMirrorPod(write);
    case 'DELETE':
      if ((await boundPod(write, attributes.name)).spec?.nodeName !== node)
        throw admissionForbidden(
          attributes,
          `node ${JSON.stringify(node)} can only delete pods with spec.nodeName set to itself`,
        );
      return;
    case 'UPDATE':
    case 'CONNECT':
      throw admissionForbidden(
        attributes,
        `unexpected operation ${JSON.stringify(attributes.operation)}, node ${JSON.stringify(node)} can only ` +
          'create and delete mirror pods',
      );
    default:
      attributes.operation satisfies never;
  }
}

/** Nodes tell how their pods are, and nothing else. */
export function checkPodStatus({ attributes, node }: NodeWrite): void {
  const who = JSON.stringify(node);
  if (attributes.operation !== 'UPDATE')
    throw admissionForbidden(attributes, `unexpected operation ${JSON.stringify(attributes.operation)}`);
  const pod = attributes.object as Pod;
  const old = attributes.oldObject as Pod;
  if (old.spec?.nodeName !== node)
    throw admissionForbidden(
      attributes,
      `node ${who} can only update pod status for pods with spec.nodeName set to itself`,
    );
  if (!semanticEqual(pod.metadata?.labels ?? {}, old.metadata?.labels ?? {}))
    throw admissionForbidden(attributes, `node ${who} cannot update labels through pod status`);
  if (!semanticEqual(pod.status?.resourceClaimStatuses ?? [], old.status?.resourceClaimStatuses ?? []))
    throw admissionForbidden(attributes, `node ${who} cannot update resource claim statues`);
  if (!semanticEqual(pod.status?.extendedResourceClaimStatus, old.status?.extendedResourceClaimStatus))
    throw admissionForbidden(attributes, `node ${who} cannot update extended resource claim status`);
}

export async function checkPodEviction(write: NodeWrite): Promise<void> {
  const { attributes, node } = write;
  if (attributes.operation !== 'CREATE')
    throw admissionForbidden(attributes, `unexpected operation ${attributes.operation}`);
  const name = attributes.name === '' ? (attributes.object?.metadata?.name ?? '') : attributes.name;
  if (name === '') throw admissionForbidden(attributes, 'could not determine pod from request data');
  if ((await boundPod(write, name)).spec?.nodeName !== node)
    throw admissionForbidden(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}

/** @throws StatusError NotFound */
export async function boundPod({ attributes, options }: NodeWrite, name: string): Promise<Pod> {
  const pod = (await options.pods.get(name, attributes.namespace)) as Pod | undefined;
  if (pod === undefined) throw notFoundByLister('pod', name);
  return pod;
}

async function checkMirrorPod({ attributes, node, options }: NodeWrite): Promise<void> {
  const who = JSON.stringify(node);
  const refuse = (reason: string): Error => admissionForbidden(attributes, reason);
  const pod = attributes.object as Pod;
  if (pod.metadata?.annotations?.[mirrorPodAnnotation] === undefined)
    throw refuse(
      `pod does not have ${JSON.stringify(mirrorPodAnnotation)} annotation, node ${who} can only create mirror pods`,
    );
  if (pod.spec?.nodeName !== node) throw refuse(`node ${who} can only create pods with spec.nodeName set to itself`);
  const owners = pod.metadata.ownerReferences ?? [];
  if (owners.length > 1) throw refuse(`node ${who} can only create pods with a single owner reference set to itself`);
  const [owner] = owners;
  if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    throw refuse(`node ${who} can only create pods with an owner reference set to itself`);
  if (owner.controller !== true)
    throw refuse(`node ${who} can only create pods with a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true)
    throw refuse(`node ${who} must not set blockOwnerDeletion on an owner reference`);
  const stored = (await options.nodes.get(node)) as Node | undefined;
  if (stored === undefined) throw notFoundByLister('node', node);
  const uid = stored.metadata?.uid ?? '';
  if (owner.uid !== uid) throw refuse(`node ${node} UID mismatch: expected ${owner.uid} got ${uid}`);
  const reference = apiReference(pod);
  if (reference !== undefined)
    throw refuse(
      'unknown' in reference
        ? `error checking mirror pod for API references: ${reference.unknown}`
        : `node ${who} can not create pods that reference ${reference.resource}`,
    );
}
