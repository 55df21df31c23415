/** Entry point `@kubechain/kube-apiserver/server`: the server for those who run it in a process of their own. */
export { flagSets } from '../flags.ts';
export { manifestRules } from '../registry/admissionregistration/manifest-rules.ts';
export { assembleKubeAPIServer } from './assemble.ts';
export type { KubeAPIServerValues } from './assemble.ts';
