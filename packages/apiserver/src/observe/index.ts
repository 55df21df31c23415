/** Entry point `@kubechain/apiserver/observe`: what a process tells of its requests to the chain's page. */
export type { ObservedSpan } from '../request/request-observation.ts';
export type { LoadMessage, OpenRequest, OpenRequestsMessage, ProcessMessage, RequestMessage } from './messages.ts';
export { latencyBoundsMs, pageUserAgent } from './messages.ts';
