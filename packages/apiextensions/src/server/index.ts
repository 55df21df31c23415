/** Entry point `@kubechain/apiextensions/server`: the server for those who run it in a process of their own. */
export { flagSets } from '../flags.ts';
export { assembleAPIExtensions } from './assemble.ts';
export type { APIExtensionsValues } from './assemble.ts';
