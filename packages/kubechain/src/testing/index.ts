/** Entry point `kubechain/testing`: API servers for tests. */
export { startTestEnvironment } from './test-environment.ts';
export type { TestEnvironment, TestEnvironmentOptions } from './test-environment.ts';
export type { TestUser } from './add-user.ts';
export type { Credentials, KubeConfigData } from './client-config.ts';
export { useTestEnvironment } from './use-test-environment.ts';
export type { TestHooks } from './use-test-environment.ts';
export { LaunchError, isLaunchError } from '../launch-error.ts';
export type { LaunchErrorCode } from '../launch-error.ts';
