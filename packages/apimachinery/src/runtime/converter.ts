import type { KubeObject } from './object.ts';

/** Turns one version of a kind into another. Registered per (group, kind, from, to). */
export interface Converter {
  readonly group: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  /**
   * Gets a private object with its apiVersion still the old one; may modify and return it. The scheme sets apiVersion afterwards.
   * @throws StatusError (or rejects with it) when the object has no form in the other version
   */
  readonly convert: (object: KubeObject) => KubeObject | Promise<KubeObject>;
}
