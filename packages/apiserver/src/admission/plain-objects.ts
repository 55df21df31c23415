import type { GroupVersionKind, KubeObject } from '@kubechain/apimachinery';
import type { AdmissionObjects } from './admission.ts';

/** Objects of a kind that has one version and no schema: for embedding programs, and for trying plugins out. */
export const plainObjects: AdmissionObjects = {
  encode: (object: KubeObject, { group, kind, version }: GroupVersionKind) => Promise.resolve(JSON.stringify({ ...object, apiVersion: group === '' ? version : `${group}/${version}`, kind })),
  decode: (text: string) => Promise.resolve(JSON.parse(text) as KubeObject),
  schemaOf: () => null,
  equivalents: () => [],
};
