import type { GroupVersion, GroupVersionKind, KubeObject } from '../object/object.ts';

/** Turns one version of a kind into another (which may live in another group: core/v1 and events.k8s.io/v1 Event). */
export interface Converter {
  readonly from: GroupVersionKind;
  readonly to: GroupVersion;
  /**
   * May modify and return its argument; the scheme sets apiVersion afterwards.
   * @throws StatusError (or rejects with it) when the object has no form in the other version
   */
  readonly convert: (object: KubeObject) => KubeObject | Promise<KubeObject>;
}
