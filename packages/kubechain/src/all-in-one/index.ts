/** Entry point `kubechain/all-in-one`: a cluster on the thread that asks for it. Loads all servers. */
export { startAllInOne } from './start.ts';
export type { AllInOne, AllInOneOptions } from './start.ts';
