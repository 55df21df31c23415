export { startEmbeddedEtcd } from './server/start.ts';
export type { EmbeddedEtcd } from './server/start.ts';
export type { EmbeddedEtcdOptions, TlsOptions } from './server/options.ts';
export type { Clock } from './server/clock.ts';
export { DataFileError } from './mvcc/data-file-error.ts';
export type { DataFileErrorReason } from './mvcc/data-file-error.ts';
