export { refusal } from './refusal.ts';
export { ResourceServer } from './resource-server.ts';
export type { ResourceServerOptions } from './resource-server.ts';
