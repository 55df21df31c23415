/** Entry point `@kubechain/apiextensions/testing`: what specs of other packages need of this one. */
export { servedForTests } from './served-for-tests.ts';
