/** Entry point `@kubechain/apiserver/egress`: which connections go through which proxies. */
export { agentThrough } from './egress/tls-over.ts';
export type { Dial } from './egress/dial.ts';
export { withOneContext } from './egress/one-context.ts';
export { EgressSelector } from './egress/egress-selector.ts';
