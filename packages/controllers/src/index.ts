export { startControllers } from './registry/start-controllers.ts';
export type { RunningControllers, StartControllersOptions } from './registry/start-controllers.ts';
export { allControllers } from './registry/controllers.ts';
export { selectControllers } from './registry/select-controllers.ts';
export { controllerFlagSets, defaultControllerFlags } from './options/controller-flags.ts';
export type { ControllerFlags } from './options/controller-flags.ts';
export type { Controller, ControllerContext, ControllerDescriptor, ControllerGroup } from './controller/controller.ts';
export { Client } from './client/client.ts';
export type { ClientOptions } from './client/client.ts';
export type { RequestOptions } from './client/requester.ts';
export type {
  DeleteOptions,
  List,
  ListOptions,
  ObjectName,
  PatchOptions,
  ResourceClient,
  WatchOptions,
} from './client/resource-client.ts';
export type { WatchEvent } from './client/watch-events.ts';
export { resources } from './client/resources.ts';
export type { ResourceType } from './client/resource-type.ts';
export { Http2Transport } from './client/http2-transport.ts';
export type { Http2TransportOptions } from './client/http2-transport.ts';
export { TransportError } from './client/transport.ts';
export type { Transport, TransportRequest, TransportResponse } from './client/transport.ts';
export { KubeconfigError, loadKubeconfig } from './client/kubeconfig.ts';
export type { ClientConfig } from './client/kubeconfig.ts';
