/** Entry point `@kubechain/apiserver/logging`: where processes and libraries write what they have to say. */
export { Logger, Logging, configureLogging } from './logger.ts';
export type { LoggingOptions } from './logger.ts';
