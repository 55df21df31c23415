import { parseTime, type KubeObject } from '@kubechain/apimachinery';
import type { ObjectReference, Service } from '@kubechain/apimachinery/types/core/v1';
import type { IPAddress } from '@kubechain/apimachinery/types/networking/v1';
import type { ObjectRecord } from '@kubechain/shared-storage';
import {
  allocatorName,
  familyLabel,
  isServiceReference,
  managedByLabel,
} from '../../../service-allocation/ip-address-object.ts';
import { familyOf } from '../../../service-allocation/ip-range.ts';
import { headless } from '../../../service-allocation/service-view.ts';

/** A service as far as its addresses are looked at. */
export interface FollowedService {
  /** For events. */
  readonly reference: ObjectReference;
  readonly createdMs: number;
  readonly externalName: boolean;
  /** Addresses that it has; none where it wants none. */
  readonly clusterIPs: readonly string[];
}

/** An IPAddress as far as services are concerned. */
export interface FollowedAddress {
  /** For events. */
  readonly reference: ObjectReference;
  readonly createdMs: number;
  /** What it refers to, as the reference tells it. */
  readonly parent: string;
  /** `namespace/name` of the service that it is of; undefined: of none. */
  readonly service: string | undefined;
  /** The allocator of services made it. */
  readonly managed: boolean;
  /** It has all labels that the allocator gives. */
  readonly labelled: boolean;
}

/** What is kept of a service. */
export function followedService(record: ObjectRecord): FollowedService {
  const object = record.object();
  const { spec } = object as Service;
  const set = spec?.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== headless;
  return {
    reference: referenceTo(object, record),
    createdMs: createdMs(object),
    externalName: spec?.type === 'ExternalName',
    clusterIPs: set ? (spec.clusterIPs ?? []) : [],
  };
}

/** What is kept of an IPAddress. */
export function followedAddress(record: ObjectRecord): FollowedAddress {
  const object = record.object();
  const { metadata } = object;
  const parent = (object as unknown as Partial<IPAddress>).spec?.parentRef;
  const managed = metadata?.labels?.[managedByLabel] === allocatorName;
  return {
    reference: referenceTo(object, record),
    createdMs: createdMs(object),
    parent:
      `&ParentReference{Group:${parent?.group ?? ''},Resource:${parent?.resource ?? ''},` +
      `Namespace:${parent?.namespace ?? ''},Name:${parent?.name ?? ''},}`,
    service: isServiceReference(object) ? `${parent?.namespace ?? ''}/${parent?.name ?? ''}` : undefined,
    managed,
    labelled: managed && metadata?.labels?.[familyLabel] === familyOf(metadata?.name ?? ''),
  };
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject, { revision }: ObjectRecord): ObjectReference {
  return {
    kind,
    ...(metadata?.namespace === undefined ? {} : { namespace: metadata.namespace }),
    name: metadata?.name,
    uid: metadata?.uid,
    apiVersion,
    resourceVersion: String(revision),
  } as ObjectReference;
}

/** An object without a time is as old as can be. */
function createdMs({ metadata }: KubeObject): number {
  const time = metadata?.creationTimestamp;
  return time === undefined || time === null ? 0 : parseTime(time);
}
