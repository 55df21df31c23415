import type { KubeObject } from '@kubechain/apimachinery';

/** Converts objects of one CRD between its versions. */
export interface ObjectConverter {
  /**
   * The objects in the target version, in order. Waits only where somebody else is asked (webhooks). Objects may be
   * changed
   * and returned; those of the target version are returned as they are.
   * @throws StatusError what the client is told, also as a rejection
   */
  convert(objects: readonly KubeObject[], apiVersion: string): readonly KubeObject[] | Promise<readonly KubeObject[]>;
}

/** Strategy `None`: versions differ by name only. */
export const noneConverter: ObjectConverter = {
  convert(objects, apiVersion) {
    for (const object of objects) object.apiVersion = apiVersion;
    return objects;
  },
};
