import { limits, manyValues, parseJSON } from '@kubechain/apimachinery';
import type { GroupVersionKind, JSONValue, KubeObject } from '@kubechain/apimachinery';
import type { AdmissionObjects } from './admission.ts';

/** Objects of a kind that has one version and no schema: for embedding programs, and for trying plugins out. */
export const plainObjects: AdmissionObjects = {
  rest: () => undefined,
  beginWith: (values) => {
    if (values > limits.bodyValues.value) throw manyValues();
  },
  encode: (object: KubeObject, { group, kind, version }: GroupVersionKind) =>
    Promise.resolve(JSON.stringify({ ...object, apiVersion: group === '' ? version : `${group}/${version}`, kind })),
  view: (object: KubeObject, { group, kind, version }: GroupVersionKind) =>
    Promise.resolve({
      ...object,
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
    } as unknown as JSONValue),
  decode: (text: string) => Promise.resolve(parseJSON(text) as KubeObject),
  read: (data: JSONValue) => Promise.resolve(structuredClone(data) as KubeObject),
  schemaOf: () => null,
  equivalents: () => [],
};
