/** Which device something is about, and which share of it. */
export interface DeviceReference {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly shareID?: string;
}

/** A device as answers print it (structured.SharedDeviceID of k8s.io/dynamic-resource-allocation, 1.36). */
export interface SharedDeviceID {
  readonly Driver: string;
  readonly Pool: string;
  readonly Device: string;
  readonly ShareID: string;
}

export function sharedDeviceID({ device = '', driver = '', pool = '', shareID = '' }: DeviceReference): SharedDeviceID {
  return { Driver: driver, Pool: pool, Device: device, ShareID: shareID };
}

/** The same as a key. */
export function deviceKey(reference: DeviceReference): string {
  return JSON.stringify(sharedDeviceID(reference));
}
