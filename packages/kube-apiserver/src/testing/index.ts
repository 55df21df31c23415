/** Entry point `@kubechain/kube-apiserver/testing`: what specs of other packages need of this one. */
export { builtInStores } from './built-in-stores.ts';
