import type { DeviceClaim, DeviceRequest, ExactDeviceRequest } from '@kubechain/apimachinery/types/resource/v1';

/** One way to meet a request: the request itself, or one of those that it would take. */
export interface RequestedDevices extends ExactDeviceRequest {
  /** `request`, or `request/subrequest`. */
  readonly name: string;
  /** Name of the request that it belongs to. */
  readonly parent: string;
}

/** The ways to meet a request, the preferred one first. */
export function waysOf({ exactly, firstAvailable = [], name }: DeviceRequest): readonly RequestedDevices[] {
  if (exactly !== undefined) return [{ ...exactly, name, parent: name }];
  return firstAvailable.map((way) => ({ ...way, name: `${name}/${way.name}`, parent: name }));
}

/** Whether a list of requests' names, empty for all, means a way. */
export function isMeant(requests: readonly string[] | undefined, { name, parent }: RequestedDevices): boolean {
  return requests === undefined || requests.length === 0 || requests.includes(parent) || requests.includes(name);
}

/** Names of all classes that a claim speaks of, with the request. */
export function classesOf({ requests = [] }: DeviceClaim): readonly (readonly [request: string, name: string])[] {
  return requests.flatMap((request) => waysOf(request).map((way) => [way.name, way.deviceClassName] as const));
}
