/** Entry point `@kubechain/controllers/server`: the program for those who run it in a process of their own. */
export { flagSets } from '../flags.ts';
export { run } from './run.ts';
